import type { Context } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import { sessionOf } from "./flow-context.ts";
import { processState } from "./process-state.ts";
import { createThoughtLedger, type ThoughtLedger } from "./thought-ledger.ts";

const LEDGERS_KEPT = 1000;

const ledgers = processState("thoughts.v1", () => new Map<string, ThoughtLedger>());

/**
 * The numbers and ids of the thoughts of a context's session, or of its trace where no session is declared. The
 * thousand sessions that thought last are remembered; one that comes back later starts at 1 again.
 */
export function sessionThoughts(context: Context): ThoughtLedger {
  const session = sessionOf(context)?.sessionId;
  const key = session ?? trace.getSpanContext(context)?.traceId ?? "";
  const ledger = ledgers.get(key) ?? createThoughtLedger();
  ledgers.delete(key);
  ledgers.set(key, ledger);
  for (const oldest of ledgers.keys()) {
    if (ledgers.size <= LEDGERS_KEPT) break;
    ledgers.delete(oldest);
  }
  return ledger;
}
