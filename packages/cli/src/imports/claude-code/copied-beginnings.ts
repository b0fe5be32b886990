import { isSaidByProgram, type TranscriptLine } from "./records.ts";

/** A record, and when it came. */
export interface TimedLine {
  readonly line: TranscriptLine;
  /** Milliseconds since 1970. */
  readonly ms: number;
}

/** A record of which is known whether it was copied. */
export interface JudgedLine extends TimedLine {
  readonly isCopy: boolean;
}

/**
 * Tells which records were copied under new ids. Of an answer its own id tells it; what was asked and given has none that would. So
 * what a file begins with waits for the next answer: what stands before a copied one was copied, too.
 */
export interface CopiedBeginnings {
  /**
   * A record and those that waited for it, in order; none while it waits.
   *
   * @param agentId Of a sub-agent's own file.
   */
  after(one: TimedLine, agentId?: string): readonly JudgedLine[];
  /** What waits for an answer that did not come. */
  left(): readonly JudgedLine[];
}

/** So many records no session has before its first answer. */
const MOST_WAITING = 1_000;

/** @param isCopiedAnswer Is asked of what a model answered. */
export function createCopiedBeginnings(
  isCopiedAnswer: (line: TranscriptLine) => boolean,
): CopiedBeginnings {
  /** By file, in order; of one that told an answer of its own nothing waits any more. */
  const waiting = new Map<string | undefined, TimedLine[] | undefined>();
  let hasCopies = false;

  function judged(lines: readonly TimedLine[], isCopy: boolean, agentId: string | undefined) {
    // No answer of the session's own can have asked for what sub-agents did before there was one.
    const areAgentsCopies = hasCopies && agentId === undefined;
    return lines.map((one) => ({
      ...one,
      isCopy: isCopy || (areAgentsCopies && one.line.isSidechain),
    }));
  }

  return {
    after(one, agentId) {
      const isAnswer = one.line.type === "assistant" && !isSaidByProgram(one.line);
      const isCopy = isAnswer && isCopiedAnswer(one.line);
      const before = waiting.has(agentId) ? waiting.get(agentId) : [];
      if (before === undefined) return [{ ...one, isCopy }];
      if (!isAnswer && before.length < MOST_WAITING) {
        before.push(one);
        waiting.set(agentId, before);
        return [];
      }
      waiting.set(agentId, isCopy ? [] : undefined);
      hasCopies ||= isCopy;
      return [...judged(before, isCopy, agentId), { ...one, isCopy }];
    },
    left() {
      const rest = [...waiting].flatMap(([agentId, lines = []]) => judged(lines, false, agentId));
      waiting.clear();
      return rest;
    },
  };
}
