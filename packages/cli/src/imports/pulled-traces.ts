import { decodeJsonRequest } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import type { TraceChoice } from "./backend-client.ts";
import { ImportProblem, type ImportReport } from "./import-format.ts";

/** How a backend is asked. */
export interface TraceSource {
  /** The ids of the traces that are chosen, one more than the limit where there are more. */
  find(choice: TraceChoice): Promise<readonly string[]>;
  /** Where `find` looks, in words: "the last 30 days". */
  readonly looksAt: string;
  /** A trace as JSON that holds OTLP; `undefined` when there is none. */
  trace(traceId: string): Promise<string | undefined>;
}

const TRACE_ID = /^[0-9a-f]{1,32}$/i;
/** A line about how far it has come, after so many traces each. */
const PROGRESS_TRACES = 25;

/** The spans of the chosen traces, trace by trace. */
export async function* pulledTraces(
  source: TraceSource,
  choice: TraceChoice,
  report: ImportReport,
): AsyncGenerator<SpanRecord> {
  const ids = await idsOf(source, choice, report);
  for (const [n, id] of ids.entries()) {
    const answer = await source.trace(id);
    if (answer === undefined) {
      if (choice.trace !== undefined) throw new ImportProblem(`it has no trace ${id}`);
      report.lost("traces that were found and are gone");
      continue;
    }
    const { records, rejected } = decodeJsonRequest(answer);
    for (const _ of rejected) report.lost("broken spans");
    yield* records;
    if ((n + 1) % PROGRESS_TRACES === 0) report.warn(`${n + 1} of ${ids.length} traces`);
  }
}

async function idsOf(
  source: TraceSource,
  choice: TraceChoice,
  report: ImportReport,
): Promise<readonly string[]> {
  const { trace, limit } = choice;
  if (trace !== undefined) {
    if (!TRACE_ID.test(trace))
      throw new ImportProblem(`"${trace}" is no trace id: it is made of 32 hex digits`);
    return [trace.toLowerCase().padStart(32, "0")];
  }
  const ids = [...new Set(await source.find(choice))];
  if (ids.length === 0)
    throw new ImportProblem(
      `it has no such trace in ${source.looksAt}; --trace finds older ones by their id`,
    );
  if (ids.length > limit) report.warn(`There are more than ${limit} traces: --limit takes more.`);
  return ids.slice(0, limit);
}
