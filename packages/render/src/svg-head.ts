import type { Session } from "@thoughtflow/schema";
import { snippet } from "./clean-text.ts";
import { sessionFigures, sessionTitle } from "./flow-title.ts";
import { otherSessionsOf } from "./other-sessions.ts";
import { flowState, type State } from "./step-state.ts";
import { momentOf } from "./step-times.ts";
import { fitPixels, svgText } from "./svg-text.ts";
import { stateMarks } from "./terminal-ink.ts";

/** What stands above a picture: what it is of, how that went, what it counts, and in small letters which one it is. */
export interface PictureHead {
  readonly title: string;
  readonly state: State;
  readonly figures: readonly string[];
  readonly id: string;
  /** When its time begins, in milliseconds since 1970. */
  readonly start: number | undefined;
  /** What else is to be known. */
  readonly facts: readonly string[];
}

/** Of a picture of a session. */
export function headOf(session: Session): PictureHead {
  return {
    title: sessionTitle(session),
    state: flowState(session),
    figures: sessionFigures(session),
    id: session.session_id,
    start: momentOf(session.started_at),
    facts: [
      ...otherSessionsOf(session),
      ...(session.origin === "inferred" ? [`session inferred${sure(session.confidence)}`] : []),
      ...(isIncomplete(session) ? ["parts are missing"] : []),
    ],
  };
}

/** What is said of a picture in which time tells nothing. */
export const inOrder = "no durations are known: drawn in order";

/** Sessions of formats that tell no time begin in it. */
const FIRST_DAY = 86_400_000;

/** Which one it is, when it began, as `2026-01-23 00:41:45 UTC`, where that is told, and what else is to be known. */
export function factsOf({ id, start, facts }: PictureHead): readonly string[] {
  if (start === undefined || start < FIRST_DAY) return [id, ...facts];
  return [id, `${new Date(start).toISOString().slice(0, 19).replace("T", " ")} UTC`, ...facts];
}

/** A session that goes on misses nothing yet. */
function isIncomplete({ completeness }: Session): boolean {
  const { open_steps: open, missing_parents: missing, truncated } = completeness ?? {};
  return open !== undefined || missing !== undefined || truncated !== undefined;
}

function sure(confidence: number | undefined): string {
  return confidence === undefined ? "" : `, confidence ${confidence.toFixed(2)}`;
}

const margin = 24;
const fontSize = 11;

/** Three lines, the last of which ends 70 pixels below the top. */
export function headLines(head: PictureHead, width: number): readonly string[] {
  const { title, state, figures } = head;
  const room = width - 2 * margin;
  const line = (y: number, classes: string, words: string): string =>
    `<text x="${margin}" y="${y}"${classes}>${words}</text>`;
  const cut = (words: readonly string[]): string =>
    svgText(fitPixels(snippet(words.join(" · "), 300), room, fontSize));
  return [
    line(34, ' class="title"', withMark(state, fitPixels(title, room - 20, 17))),
    line(54, "", cut(figures)),
    line(70, ' class="faint"', cut(factsOf(head))),
  ];
}

/** A text behind the mark of how it went; escaped. */
export function withMark(state: State, text: string): string {
  const mark = state === "ok" ? "" : `<tspan class="w-${state}">${stateMarks[state]} </tspan>`;
  return mark + svgText(text);
}
