import { type ImportedEdge, spanIdOf } from "../imported-span.ts";

/** The sessions that tool calls name which they asked: the first call began one, and those after it hand it more. */
export interface AskedSessions {
  asked(sessionId: string, callId: string, prompt: string | undefined): void;
  /** The tool call that a session began with. */
  begunBy(sessionId: string): string | undefined;
  /** What the next answer of a session rests on that was told this: the later tool call that said it. */
  handed(sessionId: string, words: string): readonly ImportedEdge[];
}

interface Asked {
  readonly callId: string;
  readonly prompt: string | undefined;
}

/** @param outermost The session that all of them are told in. */
export function createAskedSessions(outermost: string): AskedSessions {
  const begun = new Map<string, string>();
  const waiting = new Map<string, Asked[]>();

  return {
    asked(sessionId, callId, prompt) {
      if (!begun.has(sessionId)) begun.set(sessionId, callId);
      else if (begun.get(sessionId) !== callId)
        waiting.set(sessionId, [
          ...(waiting.get(sessionId) ?? []),
          { callId, prompt: prompt?.trim() },
        ]);
    },
    begunBy: (sessionId) => begun.get(sessionId),
    handed(sessionId, words) {
      const all = waiting.get(sessionId) ?? [];
      const at = all.findIndex(({ prompt }) => prompt === words.trim());
      return all.splice(at, at < 0 ? 0 : 1).map(({ callId }) => ({
        to: `s_${spanIdOf("opencode", outermost, "tool", callId)}`,
        type: "handoff",
        origin: "observed",
      }));
    },
  };
}
