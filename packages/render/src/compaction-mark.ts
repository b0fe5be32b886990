import { n } from "./svg-number.ts";

/** What the mark says. */
export const compactionWords = "conversation compacted";

/** The mark where a summary took the place of what was said before, `title` in it: two triangles that press on one point. */
export function compactionMark(x: number, y: number, title = ""): string {
  return `<path class="compaction" d="M${n(x - 4)} ${n(y - 8)}h8l-4 7zM${n(x - 4)} ${n(y + 8)}h8l-4 -7z">${title}</path>`;
}

/** Its style sheet, in light and in dark surroundings. */
export const compactionStyle: Readonly<Record<"light" | "dark", string>> = {
  light: ".compaction{fill:#0f766e;stroke:#fff;stroke-width:.8}",
  dark: ".compaction{fill:#2dd4bf;stroke:#0f172a}",
};
