import { sessionIdOf } from "@thoughtflow/dialects/spans";
import { type FileSystem, openJournal, realFileSystem } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";
import { createSessionWriter } from "./session-writer.ts";
import { stayAliveFor } from "./stay-alive.ts";

/** What was put into a flow directory. */
export interface KeptRecords {
  readonly records: number;
  /** The sessions that the records speak of; their files hold all that the journals hold of them. */
  readonly sessions: readonly string[];
  /** Those whose files could not be written, each with what the file system said. */
  readonly failed: readonly { readonly sessionId: string; readonly problem: unknown }[];
}

/** Who hears of written sessions, and the file system; default: nobody, the real one. */
export interface KeepRecordsOptions {
  readonly fs?: FileSystem;
  /** Hears of each session once its files are written. */
  readonly onSession?: (sessionId: string) => void;
}

/** So many bytes of records wait at most: their texts need not all be in memory. */
const WAITING_BYTES = 4 * 2 ** 20;

/**
 * Puts records of elsewhere into a flow directory, as a process that recorded them would: into its journal, then the
 * files of every session they speak of. Takes the records as they come and keeps none. What was there already, by the same
 * trace and span id, is not there twice. Ends with the error that the records end with, and throws when the journal can't be written.
 */
export function keepRecords(
  dir: string,
  records: AsyncIterable<FlowRecord> | Iterable<FlowRecord>,
  options: KeepRecordsOptions = {},
): Promise<KeptRecords> {
  return stayAliveFor(kept(dir, records, options));
}

async function kept(
  dir: string,
  records: AsyncIterable<FlowRecord> | Iterable<FlowRecord>,
  { fs = realFileSystem, onSession = () => {} }: KeepRecordsOptions,
): Promise<KeptRecords> {
  let problem: unknown;
  const onFailure = (what: unknown): void => {
    problem = what;
  };
  const journal = openJournal({ dir, fs, onFailure: (code, error) => onFailure(error ?? code) });
  const now = () => performance.now();
  const sessions = createSessionWriter({ dir, journal, now, onFailure, fs });
  const failed: { sessionId: string; problem: unknown }[] = [];
  const droppedBefore = journal.counters.dropped;
  const traces = new Map<string, boolean>();
  let count = 0;
  let waiting = 0;
  try {
    for await (const record of records) {
      count++;
      waiting += journal.append(record);
      if (record.type === "span_end" || record.type === "span_start")
        traces.set(
          record.traceId,
          traces.get(record.traceId) === true || sessionIdOf(record) !== undefined,
        );
      if (waiting < WAITING_BYTES) continue;
      waiting = 0;
      await journal.flush();
      if (journal.counters.dropped > droppedBefore) break;
    }
    await journal.flush();
    if (journal.counters.dropped > droppedBefore || problem !== undefined)
      throw problem ?? new Error("the journal could not be written");
    const unnamed = [...traces].filter(([, isNamed]) => !isNamed);
    const ids = [...journal.sessionIds(), ...unnamed.map(([trace]) => `s_${trace}`)];
    for (const id of ids) {
      problem = undefined;
      if (await sessions.adopt(id)) onSession(id);
      else failed.push({ sessionId: id, problem });
    }
    return { records: count, sessions: ids, failed };
  } finally {
    journal.flushSync();
    if (failed.length === 0) journal.settleSync();
    journal.closeSync();
  }
}
