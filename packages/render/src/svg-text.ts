import { cleanText } from "./clean-text.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Any text as XML character data or as the value of a quoted attribute; what XML can't hold is replaced. */
export function svgText(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Width of a line in em, a little too wide for the fonts that readers have: a label never runs out of its room. */
export function emWidth(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    width += emOf(code);
  }
  return width;
}

/** The line cut so that it is at most `pixels` wide at that font size, `…` for the rest; empty below two characters. */
export function fitPixels(line: string, pixels: number, fontSize: number): string {
  const room = pixels / fontSize;
  let width = 0;
  let cutWidth = 1;
  let kept = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    const em = emOf(code);
    width += em;
    cutWidth += em;
    if (cutWidth <= room) kept = at + 1;
    if (width > room) return kept < 2 ? "" : `${line.slice(0, kept).trimEnd()}…`;
  }
  return line;
}

const narrow = /[ fijlrtI.,:;'|!()[\]{}/"`-]/;
const broad = /[mwMWOQGD@%&+=<>~^…→—]/;
const combining = /\p{M}|\p{Cf}/u;
const ascii: readonly number[] = Array.from({ length: 127 }, (_, code) => {
  const character = String.fromCharCode(code);
  return narrow.test(character) ? 0.43 : broad.test(character) ? 0.95 : 0.66;
});

function emOf(code: number): number {
  const known = ascii[code];
  if (known !== undefined) return known;
  if (code <= 0x24f) return 0.68;
  const character = String.fromCodePoint(code);
  if (combining.test(character)) return 0;
  if (broad.test(character)) return 1;
  return code < 0x1100 ? 0.78 : 1.1;
}
