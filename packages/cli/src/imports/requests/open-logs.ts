import type { SpanRecord } from "@thoughtflow/schema";
import { LruMap } from "@thoughtflow/workflow";
import type { ImportReport } from "../import-format.ts";
import type { RequestLog } from "./request-log.ts";

/** @param sessionId Of a session of which some was told before. */
export type CreateLog = (report: ImportReport, sessionId: string | undefined) => RequestLog;

/** The logs of the sessions that more may come of. */
export interface OpenLogs {
  /** The log of a session by what it is known by here, begun where it is not open. */
  of(key: string): RequestLog;
  /** Tells those to the end that are longest untouched, where there are too many; not the one that is kept. */
  closeQuiet(kept: string): Iterable<SpanRecord>;
  /** Tells all to the end. */
  closeAll(): Iterable<SpanRecord>;
}

/** So many are open at once: each remembers its conversations. */
const MOST_OPEN = 2_000;
const KEPT_OPEN = 1_800;
/** So many that were told to the end are known when more comes of them. */
const REMEMBERED = 200_000;

export function createOpenLogs(createLog: CreateLog, report: ImportReport): OpenLogs {
  /** The one longest untouched first. */
  const logs = new Map<string, RequestLog>();
  /** The ids of their sessions. */
  const closed = new LruMap<string, string>(REMEMBERED);

  function begun(key: string): RequestLog {
    const sessionId = closed.get(key);
    if (sessionId !== undefined)
      report.lost("link to what came before in a session", "it went on after thousands of others");
    return createLog(report, sessionId);
  }

  return {
    of(key) {
      const log = logs.get(key) ?? begun(key);
      logs.delete(key);
      logs.set(key, log);
      return log;
    },
    *closeQuiet(kept) {
      if (logs.size <= MOST_OPEN) return;
      for (const [key, log] of logs) {
        if (logs.size <= KEPT_OPEN) return;
        if (key === kept) continue;
        logs.delete(key);
        if (log.sessionId !== undefined) closed.set(key, log.sessionId);
        yield* log.finish();
      }
    },
    *closeAll() {
      for (const log of logs.values()) yield* log.finish();
      logs.clear();
    },
  };
}
