import { isText, type StoredText, textOf } from "./stored-text.ts";

/**
 * A list of texts as the list that it goes on from and one text more: of histories that grow, the shared beginning
 * is one and the same object. Plain data; in JSON what `grownList` makes is a plain list.
 */
export interface ContentList {
  /** Absent where the list begins. */
  readonly before?: ContentList | undefined;
  readonly last: string | StoredText;
}

/** A list with one text more. */
export function grownList(before: ContentList | undefined, last: string | StoredText): ContentList {
  return new GrownList(before, last);
}

/** Tells the two forms of a list apart. */
export function isContentList(list: readonly string[] | ContentList): list is ContentList {
  return !Array.isArray(list);
}

/** The texts from the first to the last, of a list in either form. */
export function textsOf(list: readonly string[] | ContentList): readonly string[] {
  if (!isContentList(list)) return list;
  const texts: string[] = [];
  for (let at: ContentList | undefined = list; at !== undefined; at = at.before)
    texts.push(textOf(at.last));
  return texts.reverse();
}

/** Content in whichever form as one JSON text. */
export function jsonOfContent(
  content: string | StoredText | readonly string[] | ContentList,
): string {
  return isText(content) ? textOf(content) : `[${textsOf(content).join(",")}]`;
}

/** Nested lists would be deeper than JSON goes. */
class GrownList implements ContentList {
  readonly before: ContentList | undefined;
  readonly last: string | StoredText;

  constructor(before: ContentList | undefined, last: string | StoredText) {
    this.before = before;
    this.last = last;
  }

  toJSON(): readonly string[] {
    return textsOf(this);
  }
}
