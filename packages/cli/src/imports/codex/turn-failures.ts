import { membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** What went wrong, as the program says it. */
export interface TurnFailure {
  readonly type: string;
  readonly message: string;
  /** Whether the turn failed, and not only what the program was asked besides. */
  readonly isOfTurn: boolean;
}

/** Failures that leave a turn as it is: `CodexErrorInfo::affects_turn_status` of codex-rs. */
const BESIDES: ReadonlySet<string> = new Set([
  "thread_rollback_failed",
  "active_turn_not_steerable",
]);

/**
 * What went wrong in the turns of a thread, each once. The end of a turn tells it; versions that kept more, as Codex' apps had it in
 * 2026, have written an event of its own before that end, which in the oldest of them tells nothing.
 */
export function createTurnFailures(): {
  /** @param payload Of an event `error`, or of the end of a turn */
  toldBy(payload: PlainObject): TurnFailure | undefined;
  /** Another turn begins: what it says went wrong in it. */
  begins(): void;
} {
  let told: string | undefined;
  /** The turn that an end named last. */
  let over: string | undefined;
  return {
    begins() {
      told = undefined;
    },
    toldBy(payload) {
      const isEnd = payload["type"] !== "error";
      const { message, codex_error_info: kind } = isEnd ? membersOf(payload["error"]) : payload;
      const words = textOf(message);
      const ended = isEnd ? textOf(payload["turn_id"]) : undefined;
      const isTold = words === told || (ended !== undefined && ended === over);
      told = isEnd ? undefined : words;
      over = ended ?? over;
      if (words === undefined || isTold) return undefined;
      const type = textOf(kind) ?? Object.keys(membersOf(kind))[0] ?? "error";
      return { type, message: words, isOfTurn: !BESIDES.has(type) };
    },
  };
}
