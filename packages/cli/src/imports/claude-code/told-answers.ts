import type { EarlierCall } from "../earlier-imports.ts";
import { textOf } from "../plain-values.ts";
import type { RecordStep } from "../record-step.ts";
import { outlineOf, type TranscriptLine } from "./records.ts";

/**
 * The answers that sessions told, by the ids that the API gave them: of a session that was copied under new names the records have
 * new ids, but their answers are the same.
 */
export interface ToldAnswers {
  /** The step of another session that has the answer which a record is of. */
  get(line: TranscriptLine, sessionId: string): RecordStep | undefined;
  /** The same of a session that was imported before. */
  addEarlier(sessionId: string, call: EarlierCall): void;
  /** Which sessions begin with answers that others told in earlier imports: `[copy, earlier one]`. */
  readonly copiesOfEarlier: Iterable<readonly [string, string]>;
  /** Of several steps with one answer the first is meant. */
  add(line: TranscriptLine, sessionId: string, step: RecordStep): void;
  clear(): void;
}

/** Shorter ids alone are the same by chance: some providers count from 0. */
const SHORTEST = 16;

interface ToldAnswer extends RecordStep {
  readonly sessionId: string;
}

/** Two halves, as of what passed: when the young one is full the old one is dropped whole. */
export function createToldAnswers(limit: number): ToldAnswers {
  let young = new Map<string, ToldAnswer>();
  let old = new Map<string, ToldAnswer>();
  const earlier = new Map<string, ToldAnswer>();
  const copies = new Map<string, string>();
  return {
    get(line, sessionId) {
      const key = keyOf(line);
      if (key === undefined) return undefined;
      const before = earlier.get(key);
      const told = young.get(key) ?? old.get(key) ?? before;
      if (told === undefined || told.sessionId === sessionId) return undefined;
      if (told === before) copies.set(sessionId, told.sessionId);
      return told;
    },
    addEarlier(sessionId, { responseId, requestId, traceId, spanId }) {
      const key = keyOfIds(responseId, requestId);
      if (key !== undefined) earlier.set(key, { sessionId, traceId, spanId });
    },
    copiesOfEarlier: copies,
    add(line, sessionId, { traceId, spanId }) {
      const key = keyOf(line);
      if (key === undefined || young.has(key) || old.has(key)) return;
      young.set(key, { sessionId, traceId, spanId });
      if (young.size < limit / 2) return;
      old = young;
      young = new Map();
    },
    clear() {
      earlier.clear();
      young.clear();
      old.clear();
    },
  };
}

/** Two ids of one answer are no chance; where there is one, or they are short, the answer says the same at the same time. */
function keyOf(line: TranscriptLine): string | undefined {
  const id = textOf(line.message["id"]) ?? "";
  if (line.isStreamed || id === "") return undefined;
  const requestId = textOf(line.record["requestId"]) ?? "";
  const key = keyOfIds(id, requestId);
  if (key !== undefined) return key;
  return line.time === undefined ? undefined : `${id} ${line.time} ${outlineOf(line)}`;
}

function keyOfIds(id: string, requestId: string): string | undefined {
  return id.length >= SHORTEST && requestId.length >= SHORTEST ? `${id} ${requestId}` : undefined;
}
