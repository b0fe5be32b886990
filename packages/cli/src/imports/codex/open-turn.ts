import { wordsOf } from "@thoughtflow/semconv";
import { textOf } from "../plain-values.ts";
import { messageOf, type RolloutLine } from "./records.ts";

/** The turn of a thread that its events have begun, and not ended. Versions without such events have none. */
export interface OpenTurn {
  /** Whether a line begins another turn. */
  isNext(line: RolloutLine): boolean;
  take(line: RolloutLine): void;
  /** What the model came to in the turn that a line ends, where no item of the turn tells that. */
  answerAt(end: RolloutLine): string | undefined;
  /** Whether a line is the item of such an answer, after all. */
  isAnswer(line: RolloutLine): boolean;
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
  /** Of the turn that is open, or was last. */
  let id: string | undefined;
  let said: string[] = [];
  /** Nothing was asked or called after what was said last. */
  let isSaid = false;
  let isBegun = false;
  let isOver = true;
  let answer: string | undefined;

  function begin(named: string | undefined): void {
    [id, said, isSaid, answer] = [named, [], false, undefined];
    [isBegun, isOver] = [true, false];
  }

  function takeItem({ payload }: RolloutLine): void {
    if (isOver) begin(undefined);
    if (payload["type"] === "reasoning") return;
    isSaid = isSaying(payload);
    if (isSaid) said.push(wordsIn(payload));
  }

  return {
    isNext: ({ name }) => BEGINNINGS.has(name),
    take(line) {
      if (BEGINNINGS.has(line.name) || ENDS.has(line.name)) {
        isOpen = BEGINNINGS.has(line.name);
        last = undefined;
        if (isOpen) begin(textOf(line.payload["turn_id"]));
        else isOver = true;
      } else if (line.kind === "response_item") {
        last = line;
        takeItem(line);
      }
    },
    answerAt({ payload }) {
      const words = textOf(payload["last_agent_message"])?.trim() ?? "";
      const isOther = id !== undefined && (textOf(payload["turn_id"]) ?? id) !== id;
      if (words === "" || !isBegun || isOther || isSaid) return undefined;
      if (said.some((one) => one.includes(words))) return undefined;
      isSaid = true;
      answer = words;
      return words;
    },
    isAnswer: ({ kind, payload }) =>
      answer !== undefined &&
      kind === "response_item" &&
      isSaying(payload) &&
      wordsIn(payload).trim() === answer,
    get cutAt() {
      return isOpen && last !== undefined && !isLastWord(last) ? last : undefined;
    },
  };
}

function isSaying({ type, role }: RolloutLine["payload"]): boolean {
  return type === "message" && role === "assistant";
}

function wordsIn(payload: RolloutLine["payload"]): string {
  return wordsOf(messageOf(payload)?.parts ?? []);
}

/** Where the model says what it came to, and calls no tool, the turn is over. */
function isLastWord({ payload }: RolloutLine): boolean {
  return isSaying(payload) && textOf(payload["phase"]) !== "commentary";
}
