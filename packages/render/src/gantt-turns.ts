import { oneLine, snippet } from "./clean-text.ts";
import { counted } from "./figures.ts";
import type { Place } from "./gantt-arrows.ts";
import { hues } from "./palette.ts";
import { n } from "./svg-number.ts";
import { emWidth, fitPixels, svgText } from "./svg-text.ts";
import type { UserTurn } from "./user-turns.ts";

/** Turns whose marks are so near to one another, in pixels, share one. */
const nearest = 9;
/** Shorter words say nothing, and more lines hide what they cross. */
const leastWords = 34;
const mostLines = 60;
const fontSize = 11;
/** Longer words before a mark would be taken for those of the mark before. */
const mostBefore = 160;
/** Between the middle of a mark and its words. */
const gap = 8;

/** Where turns are marked, in pixels. */
export interface TurnPlace {
  readonly left: number;
  /** No words end further right. */
  readonly right: number;
  /** Of the middle of their row. */
  readonly y: number;
  /** Where their lines end. */
  readonly bottom: number;
}

interface Mark {
  readonly x: number;
  readonly turns: UserTurn[];
}

/** Where a user spoke, and what: a row of marks above the lanes, each with its words as far as there is room, and a line down to what it began. */
export function turnLines(
  turns: readonly UserTurn[],
  places: ReadonlyMap<string, Place>,
  { left, right, y, bottom }: TurnPlace,
): readonly string[] {
  const marks = marksOf(turns, places);
  const hasLines = marks.length <= mostLines;
  /** Where the words before end. */
  let free = -Infinity;
  return [
    `<text class="faint" x="${n(left)}" y="${n(y + 4)}">user</text>`,
    ...marks.map(({ x, turns: own }, at) => {
      const said = own.length === 1 ? (own[0]?.words ?? "") : counted(own.length, "turn");
      const after = fitted(said, Math.min(right, (marks[at + 1]?.x ?? Infinity) - 6) - x - gap);
      const roomBefore = x - gap - Math.max(free + 6, (marks[at - 1]?.x ?? -Infinity) + 6);
      const isLast = at === marks.length - 1;
      const before = fitted(said, isLast ? roomBefore : Math.min(roomBefore, mostBefore));
      const isBefore = at > 0 && (isLast ? widthOf(before) > widthOf(after) : after === "");
      const words = isBefore ? before : after;
      free = isBefore || words === "" ? x : x + gap + widthOf(words);
      const line = hasLines ? `<path class="turn-line" d="M${n(x)} ${n(y)}V${n(bottom)}"/>` : "";
      const textAt = isBefore ? `class="before" x="${n(x - gap)}"` : `x="${n(x + gap)}"`;
      const text = words === "" ? "" : `<text ${textAt} y="${n(y + 4)}">${svgText(words)}</text>`;
      return `<g><title>${svgText(tooltipOf(own))}</title>${line}${turnMark(x, y)}${text}</g>`;
    }),
  ];
}

/** The mark of where a user spoke. */
export function turnMark(x: number, y: number): string {
  return `<circle class="turn" cx="${n(x)}" cy="${n(y)}" r="4"/>`;
}

/** Cut to its room; empty where too little is left of it to say something. */
function fitted(words: string, room: number): string {
  const shown = oneLine(fitPixels(words, room, fontSize));
  return shown === words || widthOf(shown) >= leastWords ? shown : "";
}

function widthOf(words: string): number {
  return emWidth(words) * fontSize;
}

function marksOf(turns: readonly UserTurn[], places: ReadonlyMap<string, Place>): readonly Mark[] {
  const marks: Mark[] = [];
  const placed = turns.flatMap((turn) => {
    const place = places.get(turn.request);
    return place === undefined ? [] : [{ turn, x: place.left }];
  });
  for (const { turn, x } of placed.sort((one, other) => one.x - other.x)) {
    const last = marks.at(-1);
    if (last !== undefined && x - last.x < nearest) last.turns.push(turn);
    else marks.push({ x, turns: [turn] });
  }
  return marks;
}

/** The words of the first turns at a mark. */
function tooltipOf(turns: readonly UserTurn[]): string {
  const said = turns
    .slice(0, 5)
    .map(({ words }) => (words === "" ? "what the user said is not known" : words));
  if (turns.length === 1) return `user: ${said.join("")}`;
  const more = turns.length > said.length ? " …" : "";
  return `${counted(turns.length, "turn")} of the user: ${said.map((words) => snippet(words, 80)).join(" | ")}${more}`;
}

export const turnStyle: string = `.turn{fill:${hues.user.stroke}}.turn-line{stroke:${hues.user.stroke};opacity:.4}`;
