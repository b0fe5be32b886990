import type { Context } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import { createThoughtLedger, type ThoughtLedger } from "@thoughtflow/thoughts";
import { sessionOf } from "./flow-context.ts";
import { processState } from "./process-state.ts";

const LEDGERS_KEPT = 1000;

const ledgers = processState("thoughts.v1", () => new Map<string, ThoughtLedger>());

/** What nobody places belongs to nobody: after so many such thoughts their ids are free again. */
const UNPLACED_KEPT = 10_000;

/**
 * The numbers and ids of the thoughts of a context's session, or of its trace where no session is known. The
 * thousand sessions that thought last are remembered; one that comes back later starts at 1 again.
 *
 * @param known the session, where the context declares none
 */
export function sessionThoughts(context: Context, known?: string): ThoughtLedger {
  const session = sessionOf(context)?.sessionId ?? known;
  const key = session ?? trace.getSpanContext(context)?.traceId ?? "";
  let ledger = ledgers.get(key) ?? createThoughtLedger();
  if (key === "" && ledger.size >= UNPLACED_KEPT) ledger = createThoughtLedger();
  ledgers.delete(key);
  ledgers.set(key, ledger);
  for (const oldest of ledgers.keys()) {
    if (ledgers.size <= LEDGERS_KEPT) break;
    ledgers.delete(oldest);
  }
  return ledger;
}
