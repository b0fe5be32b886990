const PREVIEW_LENGTH = 200;

/** The first 200 UTF-16 code units, an ellipsis in place of the rest; never half a surrogate pair. */
export function preview(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text;
  return `${text.slice(0, PREVIEW_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Whether a text is short enough to stand in a second place. */
export function isShort(text: string): boolean {
  return text.length <= PREVIEW_LENGTH;
}
