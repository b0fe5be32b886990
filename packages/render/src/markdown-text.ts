import { cleanText, oneLine } from "./clean-text.ts";

const invisibleBreak = "\u{200b}";

/**
 * Any text as one line of Markdown that shows as that text: no formatting, HTML, image or table cell comes out of
 * it, and no mention, issue reference or link that a code host would make of it (an invisible space breaks those).
 */
export function markdownText(text: string): string {
  return unlinked(oneLine(text)).replace(
    /[\\`*_{}[\]()<>#+!|~&$^=-]|^\d+(?=[.)](?:\s|$))|^[.)]/gu,
    (found) =>
      /\d/.test(found)
        ? `${found}\\`
        : found === "<"
          ? "&lt;"
          : found === "&"
            ? "&amp;"
            : `\\${found}`,
  );
}

/** Any text as the content of an HTML element inside Markdown, on one line, with the same care. */
export function markdownHtml(text: string): string {
  return unlinked(oneLine(text)).replace(
    /[&<>"'`*_[\]\\$~|]/g,
    (found) => `&#${found.charCodeAt(0)};`,
  );
}

/** Several lines of text as a quotation, each line escaped; empty lines stay. */
export function markdownQuote(text: string): string {
  return cleanText(text)
    .trim()
    .split("\n")
    .map((line) => `> ${markdownText(line)}`.trimEnd())
    .join("  \n");
}

/** Any text as a fenced block, word for word: the fence is longer than any run of backticks in the text. */
export function markdownFence(text: string, language = ""): string {
  const clean = cleanText(text);
  const longest = Math.max(
    2,
    ...(clean.match(/`+/g) ?? []).slice(0, 10_000).map((run) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${clean}\n${fence}`;
}

function unlinked(text: string): string {
  return text
    .replace(/@(?=[\p{L}\p{N}])/gu, `@${invisibleBreak}`)
    .replace(/#(?=\d)/g, `#${invisibleBreak}`)
    .replaceAll("://", `:${invisibleBreak}//`)
    .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}${invisibleBreak}.`);
}
