import type { OpenCall } from "../conversation/conversation.ts";

/** What tools gave that stands before the part of the answer that asks for it. */
export interface EarlyResults {
  /** @param answered The call that asks for it is there. */
  wait(call: OpenCall, toolUseId: string, answered: () => void): void;
  /** An answer asks for a tool. */
  asked(call: OpenCall, toolUseId: string): void;
}

export function createEarlyResults(): EarlyResults {
  /** A result that none of its answer's parts asks for stays one without a call. */
  const waiting = new WeakMap<OpenCall, Map<string, () => void>>();

  return {
    wait(call, toolUseId, answered) {
      const results = waiting.get(call) ?? new Map();
      waiting.set(call, results.set(toolUseId, answered));
    },
    asked(call, toolUseId) {
      const results = waiting.get(call);
      const answered = results?.get(toolUseId);
      results?.delete(toolUseId);
      answered?.();
    },
  };
}
