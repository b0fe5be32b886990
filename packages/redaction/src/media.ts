import { createHash } from "node:crypto";

/** What stands in place of something left out. */
export type Omitted =
  | {
      readonly omitted: "base64";
      /** Hex digest of the decoded bytes. */
      readonly sha256: string;
      /** Length of the decoded bytes. */
      readonly bytes: number;
      readonly media_type?: string;
    }
  | { readonly omitted: "embedding" | "logprobs"; readonly count: number };

/** From this many characters on, base64 is left out. */
export const LONG_BASE64 = 1024;

const DATA_URI =
  /data:([\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w.+-]{1,64}=[\w.+-]{1,64}){0,4};base64,$/;
const DATA_URI_HEAD = 400;
/** Text that is long, of one run, and neither a repeated letter nor a path. */
const MIXED = [/[a-z]/, /[A-Z]/, /[0-9]/];

const BASE64_CODES = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") {
  BASE64_CODES[letter.charCodeAt(0)] = 1;
}

/** A stretch of base64 in a text, a data URI's head included. */
export interface Base64Stretch {
  readonly start: number;
  readonly end: number;
  readonly note: Omitted & { omitted: "base64" };
}

/**
 * Every stretch of base64 of `LONG_BASE64` characters or more. Looks at one character in `LONG_BASE64`, since a
 * stretch that long cannot pass between two of them.
 *
 * @param isMedia whether something beside the text says so: silence and black are one letter that is repeated
 */
export function findBase64(text: string, isMedia = false): readonly Base64Stretch[] {
  const found: Base64Stretch[] = [];
  let from = 0;
  for (let probe = LONG_BASE64 - 1; probe < text.length; probe += LONG_BASE64) {
    if (probe < from || !isBase64Code(text.charCodeAt(probe))) continue;
    let start = probe;
    while (start > from && isBase64Code(text.charCodeAt(start - 1))) start--;
    // The letters of an escape (\n, \u000a) in JSON inside the text belong to the escape.
    if (text[start - 1] === "\\") start += text[start] === "u" ? 5 : 1;
    let end = probe + 1;
    while (end < text.length && isBase64Code(text.charCodeAt(end))) end++;
    from = end;
    if (end - start < LONG_BASE64) continue;
    const body = text.slice(start, end);
    const head = DATA_URI.exec(text.slice(Math.max(0, start - DATA_URI_HEAD), start));
    const beginning = body.slice(0, LONG_BASE64);
    const isNamed = isMedia || head !== null;
    if (!isNamed && !MIXED.every((kind) => kind.test(beginning))) continue;
    const note = omitBytes(Buffer.from(body, "base64"), head?.[1]);
    found.push({ start: start - (head?.[0].length ?? 0), end, note });
  }
  return found;
}

/** The note for bytes that are left out. */
export function omitBytes(bytes: Uint8Array, mediaType?: string): Base64Stretch["note"] {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const note = { omitted: "base64", sha256, bytes: bytes.length } as const;
  return mediaType === undefined ? note : { ...note, media_type: mediaType };
}

/** The same note in the middle of a text, without quotes, so that JSON inside the text stays JSON. */
export function omitInText(text: string, stretches: readonly Base64Stretch[]): string {
  let kept = "";
  let from = 0;
  for (const { start, end, note } of stretches) {
    const type = note.media_type === undefined ? "" : ` ${note.media_type}`;
    kept += `${text.slice(from, start)}[omitted: base64${type}, ${note.bytes} bytes, sha256 ${note.sha256}]`;
    from = end;
  }
  return kept + text.slice(from);
}

function isBase64Code(code: number): boolean {
  return code < 128 && BASE64_CODES[code] === 1;
}
