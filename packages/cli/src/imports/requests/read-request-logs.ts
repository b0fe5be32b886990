import type { SpanRecord } from "@thoughtflow/schema";
import type { ImportFormat, ImportReport } from "../import-format.ts";
import { jsonLines, type UnreadableLine } from "../json-lines.ts";
import { createLossCounter } from "../loss-table.ts";
import type { PlainObject } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import type { SourceFile } from "../source-file.ts";
import type { LoggedExchange } from "./logged-exchange.ts";
import type { LoggedRequest, RequestLog } from "./request-log.ts";
import { createStartOrder } from "./start-order.ts";

/** What tells one kind of log from another. */
export interface LogReader {
  readonly format: ImportFormat;
  /** A line as an exchange; `undefined` where it is none. */
  readonly exchangeOf: (record: PlainObject, number: number) => LoggedExchange | undefined;
  readonly createLog: (report: ImportReport) => RequestLog;
  /** With whom a line would be an exchange. */
  readonly whom: string;
}

/** So many sessions of a log are open at once: each remembers its conversations. */
const MOST_OPEN = 2_000;
const KEPT_OPEN = 1_800;

/** Logs of requests, one a line: one session a file, and one for each that a request names. */
export async function* readRequestLogs(
  { format, exchangeOf, createLog, whom }: LogReader,
  files: readonly SourceFile[],
  report: ImportReport,
): AsyncGenerator<SpanRecord> {
  const { losses } = format;
  const countLosses = losses && createLossCounter(losses, report);
  for (const file of await filesOfFormat(files, format, report)) {
    /** The one longest untouched first. */
    const logs = new Map<string, RequestLog>();
    const closed = new Set<string>();
    // One order for all sessions: what waits is bounded, however many there are.
    const inOrder = createStartOrder<LoggedRequest & { readonly log: RequestLog }>();
    let latest: RequestLog | undefined;
    const early: UnreadableLine[] = [];
    for await (const line of jsonLines(file)) {
      if ("problem" in line) {
        if (latest === undefined) early.push(line);
        else latest.unreadable(line);
        continue;
      }
      const exchange = exchangeOf(line.record, line.number);
      if (exchange === undefined) {
        report.lost(`line that is no exchange with ${whom}`);
        continue;
      }
      countLosses?.(line.record);
      const session = exchange.session ?? "";
      if (closed.delete(session))
        report.lost(
          "link to what came before in a session",
          `it went on after thousands of others`,
        );
      const log = logs.get(session) ?? createLog(report);
      logs.set(session, log);
      latest = log;
      for (const odd of early.splice(0)) log.unreadable(odd);
      const logged = log.logged(exchange, line);
      if (logged === undefined) continue;
      for (const next of inOrder.add({ ...logged, log })) yield* next.log.begun(next);
      logs.delete(session);
      logs.set(session, log);
      if (logs.size <= MOST_OPEN) continue;
      // Fewer requests wait for their turn: of the sessions longest untouched none does.
      for (const [quiet, quietLog] of logs) {
        if (logs.size <= KEPT_OPEN) break;
        logs.delete(quiet);
        closed.add(quiet);
        yield* quietLog.finish();
      }
    }
    for (const next of inOrder.rest()) yield* next.log.begun(next);
    for (const log of logs.values()) yield* log.finish();
  }
}
