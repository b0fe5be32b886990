import { columnsOf, plainText } from "./plain-text.ts";

/** Figures in lines of at most so many columns, as many in each as fit: the last ones, tokens and cost, are asked for most. */
export function figureLines(figures: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const figure of figures) {
    const last = lines.pop();
    const longer = last === undefined ? figure : `${last} · ${figure}`;
    if (last === undefined || columnsOf(plainText(longer)) <= columns) lines.push(longer);
    else lines.push(last, figure);
  }
  return lines;
}
