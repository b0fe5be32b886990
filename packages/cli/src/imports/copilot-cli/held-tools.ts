import type { GenAiPart } from "@thoughtflow/semconv";
import type { At, Gave, Ran } from "../conversation/agent-events.ts";

/** Tools that no answer asked for: the program ran them, or a person, as if a model had. They are told once all have given something. */
export interface HeldTools {
  hold(parts: readonly GenAiPart[], callIds: readonly string[], at: At): void;
  has(callId: string): boolean;
  /** What one of them gave; gives all that stands in the answer's place, once it is whole. */
  gave(result: Gave): Ran | undefined;
  /** That which a call is of, before all have given something: what they give from then on is not held. */
  take(callId: string): Ran | undefined;
  /** Those that still run. */
  takeAll(): readonly Ran[];
}

interface Held extends Ran {
  readonly results: Gave[];
  readonly waiting: Set<string>;
}

export function createHeldTools(): HeldTools {
  const byCall = new Map<string, Held>();
  return {
    hold(parts, callIds, at) {
      const held: Held = { ...at, parts, results: [], waiting: new Set(callIds) };
      for (const id of callIds) byCall.set(id, held);
    },
    has: (callId) => byCall.has(callId),
    gave(result) {
      const held = byCall.get(result.callId);
      if (held === undefined) return undefined;
      byCall.delete(result.callId);
      held.waiting.delete(result.callId);
      held.results.push(result);
      return held.waiting.size === 0 ? held : undefined;
    },
    take(callId) {
      const held = byCall.get(callId);
      for (const id of held?.waiting ?? []) byCall.delete(id);
      return held;
    },
    takeAll() {
      const left = [...new Set(byCall.values())];
      byCall.clear();
      return left;
    },
  };
}
