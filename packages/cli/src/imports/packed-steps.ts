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
const FIRST_ROWS = 16;

export function createPackedSteps(): PackedSteps {
  let cells = new Uint32Array(FIRST_ROWS * WORDS);

  function write(at: number, id: string): void {
    for (let word = 0; word * DIGITS < id.length; word++)
      cells[at + word] = Number.parseInt(id.slice(word * DIGITS, (word + 1) * DIGITS), 16);
  }

  function read(from: number, to: number): string {
    let id = "";
    for (let at = from; at < to; at++) id += (cells[at] ?? 0).toString(16).padStart(DIGITS, "0");
    return id;
  }

  return {
    set(row, { traceId, spanId }) {
      const at = row * WORDS;
      if (at + WORDS > cells.length) {
        const grown = new Uint32Array(Math.max(at + WORDS, cells.length * 2));
        grown.set(cells);
        cells = grown;
      }
      write(at, traceId);
      write(at + TRACE_WORDS, spanId);
    },
    get(row) {
      const at = row * WORDS;
      const span = at + TRACE_WORDS;
      if (!cells[span] && !cells[span + 1]) return undefined;
      return { traceId: read(at, span), spanId: read(span, at + WORDS) };
    },
  };
}
