import { textOf } from "../plain-values.ts";
import type { RolloutLine } from "./records.ts";

/** The turn of a thread that its events have begun, and not ended. Versions without such events have none. */
export interface OpenTurn {
  /** Whether a line begins another turn. */
  isNext(line: RolloutLine): boolean;
  take(line: RolloutLine): void;
  /** The last item of the turn, where that is no end of it: nothing came after it when the program was killed. */
  readonly cutAt: RolloutLine | undefined;
}

const BEGINNINGS: ReadonlySet<string> = new Set([
  "event_msg task_started",
  "event_msg turn_started",
]);
const ENDS: ReadonlySet<string> = new Set([
  "event_msg task_complete",
  "event_msg turn_complete",
  "event_msg turn_aborted",
]);

export function createOpenTurn(): OpenTurn {
  let isOpen = false;
  let last: RolloutLine | undefined;

  return {
    isNext: ({ name }) => BEGINNINGS.has(name),
    take(line) {
      if (BEGINNINGS.has(line.name) || ENDS.has(line.name)) {
        isOpen = BEGINNINGS.has(line.name);
        last = undefined;
      } else if (line.kind === "response_item") last = line;
    },
    get cutAt() {
      return isOpen && last !== undefined && !isLastWord(last) ? last : undefined;
    },
  };
}

/** Where the model says what it came to, and calls no tool, the turn is over. */
function isLastWord({ payload }: RolloutLine): boolean {
  const { type, role, phase } = payload;
  return type === "message" && role === "assistant" && textOf(phase) !== "commentary";
}
