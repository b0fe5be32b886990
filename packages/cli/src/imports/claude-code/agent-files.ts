import type { SpanRecord } from "@thoughtflow/schema";
import type { ImportReport } from "../import-format.ts";
import type { PlainObject } from "../plain-values.ts";
import type { AgentOpening } from "./openings.ts";
import { readTranscriptLine, type TranscriptLine } from "./records.ts";
import type { TranscriptSession } from "./session.ts";

/** What all files of an import have in common. */
export interface AgentReading {
  readonly report: ImportReport;
  readonly countLosses: (record: PlainObject) => void;
  readonly hasPassed: (line: TranscriptLine, session: TranscriptSession) => boolean;
  /** Before a line of a session is taken. */
  readonly listen: (sessionId: string, text: string) => Promise<void> | undefined;
  readonly isGrowing: boolean;
}

/**
 * The files of a session's sub-agents, first of those that are known to be asked for: what they ask for is known then. Ids come
 * before words, which calls in files may hold that are not read yet; of those with the same words the first is the agent that began
 * first. At last the others, but for those of a session that grows: who asks for them may not be told yet, and that decides their
 * trace.
 */
export async function* readAgents(
  session: TranscriptSession,
  agents: readonly AgentOpening[],
  { report, countLosses, hasPassed, listen, isGrowing }: AgentReading,
): AsyncGenerator<SpanRecord> {
  let waiting: readonly AgentOpening[] = agents.toSorted((a, b) => a.ms - b.ms);
  while (waiting.length > 0) {
    const named = waiting.filter(({ agent }) => session.isNamed(agent));
    const asked =
      named.length > 0 ? named : waiting.filter(({ agent }) => session.isAwaited(agent));
    if (asked.length === 0 && isGrowing) return;
    const next = asked.length > 0 ? asked : waiting;
    for (const { file, agent } of next) {
      for await (const source of file.lines()) {
        const line = readTranscriptLine(source);
        if ("problem" in line) report.lost(`unreadable line (${line.problem}) of a sub-agent`);
        else {
          countLosses(line.record);
          const listening = listen(session.id, source.text);
          if (listening !== undefined) await listening;
          if (hasPassed(line, session)) continue;
          for (const span of session.take(line, agent)) yield span;
        }
      }
    }
    waiting = waiting.filter((one) => !next.includes(one));
  }
}
