import { moreWords } from "@thoughtflow/assemble";
import type { FewNames } from "./few-names.ts";
import type { TraceExtent } from "./traces-in-stretches.ts";

/** What is known of a trace of a session, or of a slice of one. */
export interface Trace extends TraceExtent {
  /** Of a slice the trace's and which one it is. */
  readonly id: string;
  readonly number: number;
  /** What it is a slice of, and which one. */
  readonly whole: Trace | undefined;
  readonly slice: number;
  /** Slices stand in its place. */
  isCut: boolean;
  root: string | undefined;
  /** The spans and traces that its spans name, but for those of which it was known that they are its own. */
  names: FewNames;
  /** The spans of others that its calls go on from. */
  continued: FewNames;
}

/** How a trace begins. */
export type NewTrace = Pick<Trace, "id" | "whole" | "slice" | "instance" | "first" | "firstSeq">;

const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const NO_SPAN = "0".repeat(16);

/** Of the words of a row: two times of two words, four words of its id, two of its root's, two of the span's that it goes on from, and two numbers. */
const [FIRST, LAST, ID, ROOT, CONTINUED, SPANS, INSTANCE, WORDS] = [0, 2, 4, 8, 10, 12, 13, 14];
const FIRST_ROWS = 16;

/** What few traces have, and ids that are none. */
interface Rare {
  id?: string;
  root?: string | undefined;
  continued?: FewNames;
  whole?: Trace;
  slice?: number;
  isCut?: boolean;
  firstSeq?: number;
  lastSeq?: number;
  names?: FewNames;
  begun?: FewNames;
  goneOn?: FewNames;
}

/** Of a session of hundreds of thousands of traces: 56 bytes of memory each. */
class Columns {
  #words = new Int32Array(FIRST_ROWS * WORDS);
  /** The same memory. */
  #times = timesIn(this.#words);
  readonly instances: unknown[] = [];
  readonly #instanceNumbers = new Map<unknown, number>();
  readonly rare = new Map<number, Rare>();

  reserve(rows: number): void {
    if (rows * WORDS <= this.#words.length) return;
    this.#words = moreWords(this.#words, rows * WORDS);
    this.#times = timesIn(this.#words);
  }

  wordAt(number: number, column: number): number {
    return this.#words[number * WORDS + column] ?? 0;
  }

  putWord(number: number, column: number, word: number): void {
    this.#words[number * WORDS + column] = word;
  }

  timeAt(number: number, column: number): bigint {
    return this.#times[(number * WORDS + column) / 2] ?? 0n;
  }

  putTime(number: number, column: number, time: bigint): void {
    this.#times[(number * WORDS + column) / 2] = time;
  }

  numberOfInstance(instance: unknown): number {
    let number = this.#instanceNumbers.get(instance);
    if (number === undefined) {
      number = this.instances.push(instance) - 1;
      this.#instanceNumbers.set(instance, number);
    }
    return number;
  }

  rareOf(number: number): Rare {
    const rare = this.rare.get(number) ?? {};
    this.rare.set(number, rare);
    return rare;
  }

  /** In hex, so many words from a column on. */
  hexAt(number: number, column: number, words: number): string {
    let hex = "";
    for (let at = column; at < column + words; at++)
      hex += (this.wordAt(number, at) >>> 0).toString(16).padStart(8, "0");
    return hex;
  }

  putHex(number: number, column: number, hex: string): void {
    for (let at = 0; at < hex.length; at += 8)
      this.putWord(number, column + at / 8, Number.parseInt(hex.slice(at, at + 8), 16));
  }
}

function timesIn({ buffer, length }: Int32Array<ArrayBuffer>): BigInt64Array {
  return new BigInt64Array(buffer, 0, Math.floor(length / 2));
}

/** Made as it is asked for: two of one trace have the same number. */
class Row implements Trace {
  readonly number: number;
  readonly #columns: Columns;

  constructor(columns: Columns, number: number) {
    this.#columns = columns;
    this.number = number;
  }

  get #rare(): Rare | undefined {
    return this.#columns.rare.get(this.number);
  }

  get id(): string {
    const whole = this.whole;
    if (whole !== undefined) return `${whole.id}#${this.slice}`;
    return this.#rare?.id ?? this.#columns.hexAt(this.number, ID, ROOT - ID);
  }

  get whole(): Trace | undefined {
    return this.#rare?.whole;
  }

  get slice(): number {
    return this.#rare?.slice ?? 0;
  }

  get instance(): unknown {
    return this.#columns.instances[this.#columns.wordAt(this.number, INSTANCE)];
  }

  get spans(): number {
    return this.#columns.wordAt(this.number, SPANS);
  }
  set spans(count: number) {
    this.#columns.putWord(this.number, SPANS, count);
  }

  get first(): bigint {
    return this.#columns.timeAt(this.number, FIRST);
  }
  set first(time: bigint) {
    this.#columns.putTime(this.number, FIRST, time);
  }

  get last(): bigint {
    return this.#columns.timeAt(this.number, LAST);
  }
  set last(time: bigint) {
    this.#columns.putTime(this.number, LAST, time);
  }

  get root(): string | undefined {
    const rare = this.#rare?.root;
    if (rare !== undefined) return rare;
    const id = this.#columns.hexAt(this.number, ROOT, CONTINUED - ROOT);
    return id === NO_SPAN ? undefined : id;
  }
  set root(id: string | undefined) {
    if (id !== undefined && isSpanId(id)) this.#columns.putHex(this.number, ROOT, id);
    else this.#columns.rareOf(this.number).root = id;
  }

  get continued(): FewNames {
    const rare = this.#rare?.continued;
    if (rare !== undefined) return rare;
    const id = this.#columns.hexAt(this.number, CONTINUED, SPANS - CONTINUED);
    return id === NO_SPAN ? undefined : id;
  }
  set continued(names: FewNames) {
    if (typeof names === "string" && isSpanId(names))
      this.#columns.putHex(this.number, CONTINUED, names);
    else this.#columns.rareOf(this.number).continued = names;
  }

  get isCut(): boolean {
    return this.#rare?.isCut === true;
  }
  set isCut(isCut: boolean) {
    this.#columns.rareOf(this.number).isCut = isCut;
  }

  get firstSeq(): number {
    return this.#rare?.firstSeq ?? 0;
  }
  set firstSeq(seq: number) {
    this.#columns.rareOf(this.number).firstSeq = seq;
  }

  get lastSeq(): number {
    return this.#rare?.lastSeq ?? 0;
  }
  set lastSeq(seq: number) {
    this.#columns.rareOf(this.number).lastSeq = seq;
  }

  get names(): FewNames {
    return this.#rare?.names;
  }
  set names(names: FewNames) {
    this.#columns.rareOf(this.number).names = names;
  }

  get begun(): FewNames {
    return this.#rare?.begun;
  }
  set begun(names: FewNames) {
    this.#columns.rareOf(this.number).begun = names;
  }

  get goneOn(): FewNames {
    return this.#rare?.goneOn;
  }
  set goneOn(names: FewNames) {
    this.#columns.rareOf(this.number).goneOn = names;
  }
}

function isSpanId(id: string): boolean {
  return SPAN_ID.test(id) && id !== NO_SPAN;
}

export interface TraceRows {
  /** Makes a trace with the next number from 0. */
  begin(trace: NewTrace): Trace;
  /** The trace with a number. */
  at(number: number): Trace;
  readonly count: number;
}

export function createTraceRows(): TraceRows {
  const columns = new Columns();
  let count = 0;
  return {
    begin({ id, whole, slice, instance, first, firstSeq }) {
      const number = count++;
      columns.reserve(count);
      const row = new Row(columns, number);
      if (whole !== undefined) Object.assign(columns.rareOf(number), { whole, slice });
      else if (TRACE_ID.test(id)) columns.putHex(number, ID, id);
      else columns.rareOf(number).id = id;
      columns.putWord(number, INSTANCE, columns.numberOfInstance(instance));
      row.first = row.last = first;
      if (firstSeq !== 0) row.firstSeq = row.lastSeq = firstSeq;
      return row;
    },
    at: (number) => new Row(columns, number),
    get count() {
      return count;
    },
  };
}
