import { cleanText } from "./clean-text.ts";

/**
 * Any text as a D2 string in double quotes, which reads back as that text (cleaned): what JSON escapes, and the dollar
 * sign (substitution).
 */
export function d2String(text: string): string {
  return JSON.stringify(cleanText(text)).replaceAll("$", "\\$");
}

/**
 * Any text as a tooltip. D2 reads tooltips as Markdown and gives up the whole diagram over a stray HTML tag, so
 * angle brackets become their typographic likes.
 */
export function d2Tooltip(text: string): string {
  return d2String(text.replaceAll("<", "‹").replaceAll(">", "›"));
}
