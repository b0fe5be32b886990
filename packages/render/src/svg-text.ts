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
  for (const character of line) width += emOf(character);
  return width;
}

/** The line cut so that it is at most `pixels` wide at that font size, `…` for the rest; empty below two characters. */
export function fitPixels(line: string, pixels: number, fontSize: number): string {
  const room = pixels / fontSize;
  if (emWidth(line) <= room) return line;
  let kept = "";
  let used = 1;
  for (const character of line) {
    used += emOf(character);
    if (used > room) break;
    kept += character;
  }
  return kept.length < 2 ? "" : `${kept.trimEnd()}…`;
}

const narrow = /[ fijlrtI.,:;'|!()[\]{}/"`-]/;
const broad = /[mwMWOQGD@%&+=<>~^…→—]/;
const combining = /\p{M}|\p{Cf}/u;
const ascii: readonly number[] = Array.from({ length: 127 }, (_, code) => {
  const character = String.fromCharCode(code);
  return narrow.test(character) ? 0.43 : broad.test(character) ? 0.95 : 0.66;
});

function emOf(character: string): number {
  const known = ascii[character.charCodeAt(0)];
  if (known !== undefined) return known;
  if (character <= "\u{24f}") return 0.68;
  if (combining.test(character)) return 0;
  if (broad.test(character)) return 1;
  return character < "\u{1100}" ? 0.78 : 1.1;
}
