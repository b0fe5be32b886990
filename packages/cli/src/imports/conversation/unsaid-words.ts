import type { At } from "./agent-events.ts";

/** Words of a program that wait for a call which is given them. */
export interface UnsaidWords {
  /** @param compacted The call up to which the history is summed up in these words or in those that wait already. */
  add(where: Pick<At, "agentId" | "at">, text: string, compacted?: string): void;
  /** The next call of the conversation is given them. */
  given(agentId: string | undefined): void;
  /** Those of a conversation that no call was given; they are no more. */
  take(agentId: string | undefined): readonly Unsaid[];
  /** The same of all conversations. */
  takeAll(): readonly Unsaid[];
}

interface Unsaid extends Pick<At, "at"> {
  readonly text: string;
  /** The call up to which they are a summary. */
  readonly compacted: string | undefined;
}

export function createUnsaidWords(): UnsaidWords {
  const byAgent = new Map<string | undefined, Unsaid[]>();

  function take(agentId: string | undefined): readonly Unsaid[] {
    const words = byAgent.get(agentId) ?? [];
    byAgent.delete(agentId);
    return words;
  }

  return {
    add({ agentId, at }, text, compacted) {
      const words = byAgent.get(agentId) ?? [];
      const isTold = words.some((one) => one.compacted === compacted);
      words.push({ text, at, compacted: isTold ? undefined : compacted });
      byAgent.set(agentId, words);
    },
    given: (agentId) => void byAgent.delete(agentId),
    // Summed up once more, they are no summary that stands last.
    take: (agentId) => take(agentId).map((one) => ({ ...one, compacted: undefined })),
    takeAll: () => [...byAgent.keys()].flatMap(take),
  };
}
