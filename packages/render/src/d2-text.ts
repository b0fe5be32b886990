import { cleanText } from "./clean-text.ts";

/**
 * Any text as a D2 string in double quotes, which reads back as that text (cleaned). Inside the quotes only the
 * backslash, the quote and the dollar sign (substitution) mean something, and a line break ends the string. Not by
 * `JSON.stringify`, which the app around a live session may have replaced.
 */
export function d2String(text: string): string {
  const escaped = cleanText(text)
    .replace(/[\\"$]/g, "\\$&")
    .replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

/**
 * Any text as a tooltip. D2 reads tooltips as Markdown and gives up the whole diagram over a stray HTML tag, so
 * angle brackets become their typographic likes.
 */
export function d2Tooltip(text: string): string {
  return d2String(text.replaceAll("<", "‹").replaceAll(">", "›"));
}
