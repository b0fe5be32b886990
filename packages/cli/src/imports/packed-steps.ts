import { createWordRows } from "@thoughtflow/assemble";
import type { RecordStep } from "./record-step.ts";

/** Steps by number, in 24 bytes of memory each: a long transcript has hundreds of thousands. */
export interface PackedSteps {
  set(row: number, step: RecordStep): void;
  /** `undefined` where none was set. */
  get(row: number): RecordStep | undefined;
}

/** Of a row: the words of the trace id, then those of the span id, which is never zero. */
const TRACE_WORDS = 4;
const WORDS = 6;
/** Of a word. */
const DIGITS = 8;

export function createPackedSteps(): PackedSteps {
  const words = createWordRows(WORDS);

  function write(row: number, from: number, id: string): void {
    for (let at = 0; at * DIGITS < id.length; at++)
      words.set(row, from + at, Number.parseInt(id.slice(at * DIGITS, (at + 1) * DIGITS), 16));
  }

  function read(row: number, from: number, to: number): string {
    let id = "";
    for (let at = from; at < to; at++)
      id += (words.get(row, at) >>> 0).toString(16).padStart(DIGITS, "0");
    return id;
  }

  return {
    set(row, { traceId, spanId }) {
      write(row, 0, traceId);
      write(row, TRACE_WORDS, spanId);
    },
    get(row) {
      const isThere = words.get(row, TRACE_WORDS) !== 0 || words.get(row, TRACE_WORDS + 1) !== 0;
      if (!isThere) return undefined;
      return { traceId: read(row, 0, TRACE_WORDS), spanId: read(row, TRACE_WORDS, WORDS) };
    },
  };
}
