import type { SpanRecord } from "@thoughtflow/schema";
import type { AgentSession } from "../conversation/agent-session.ts";
import type { AskedSessions } from "./asked-sessions.ts";
import type { PrintedRun } from "./printed-runs.ts";
import { messageSpans } from "./session.ts";

/**
 * What was printed of one session: nobody tells what was asked, and each process began a run.
 *
 * @param runs In order.
 * @param sessions What tool calls asked of other sessions.
 */
export function* printedSpans(
  session: AgentSession,
  runs: readonly PrintedRun[],
  sessions: AskedSessions,
): Generator<SpanRecord> {
  for (const { ms, messages, odd, isDone } of runs) {
    for (const line of odd) session.unreadable(line);
    session.asked({ key: `run-${ms}`, at: { ms, order: 0 } });
    yield* messageSpans(session, { messages, ms: 0 }, { sessions });
    if (!isDone) yield* session.stopped("abandoned");
  }
}
