import type { RE2JS } from "re2js";

/** Of a longer program nothing is said. */
const MOST_INSTRUCTIONS = 2000;
/** Rows of which the best is taken, at most. */
const MOST_ROWS = 64;
/** Characters in a row that are looked for, at most. */
const LONGEST = 32;
/** Bits that what is looked for says about a text, at least. */
const LEAST = 2;
/** And its last character. */
const LEAST_AT_END = 0.1;

/** What of re2js's instructions is used: they are Go's, and their operations are numbered as there. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  /** Of an alternative the other way on; of a character whether capitals are as small letters. */
  readonly arg: number;
  /** Ranges of characters, their first and last; one character alone. */
  readonly runes: ArrayLike<number>;
}
interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

const OP = { alt: 1, altMatch: 2, fail: 5, match: 6, rune: 8, any: 10, anyButLineEnd: 11 } as const;
const FOLDS_CASE = 1;
const LAST = 0x10ffff;
const LINE_END = 10;
/** What most texts are made of: ASCII from the blank on, and the ends of lines. */
const USUAL: readonly number[] = [LINE_END, ...Array.from({ length: 95 }, (_, at) => at + 32)];

/** From one character on, to another. */
type Range = readonly [first: number, last: number];

/** What can come next: instructions that take a character, and perhaps the end. */
interface Next {
  readonly at: ReadonlySet<number>;
  readonly isEnd: boolean;
}

/**
 * An expression of JavaScript that finds something in each text in which the pattern does, and that takes time in proportion
 * to the text, as a row of characters does: `/[a-z]@[a-z]/` for `[a-z]+@[a-z]+\.com`. Undefined where there is none that
 * would keep texts away.
 *
 * Such rows begin where a match begins, and at each character that no match is without. What follows is read off the program:
 * as long as a match can't end, the next character is one of those that the program can take then.
 */
export function neededCharacters(pattern: RE2JS): RegExp | undefined {
  const { inst, start } = pattern.re2Input.prog as Program;
  if (inst.length > MOST_INSTRUCTIONS) return undefined;
  const begin = nextFrom(inst, [start]);
  const needed = inst.flatMap((one, at) =>
    takesCharacter(one) && !canEndWithout(inst, start, at) ? [new Set([at])] : [],
  );
  let [best, bits] = [[] as readonly (readonly Range[])[], 0];
  for (const at of begin.isEnd ? [] : [begin.at, ...needed.slice(0, MOST_ROWS)]) {
    const row = rowFrom(inst, at);
    const said = row.map(bitsOf);
    const sum = said.reduce((one, other) => one + other, 0);
    const length = said.findLastIndex((one) => one >= LEAST_AT_END) + 1;
    if (sum > bits) [best, bits] = [row.slice(0, length), sum];
  }
  if (bits < LEAST) return undefined;
  return new RegExp(best.map(classOf).join(""), inst.some(isFolded) ? "iu" : "u");
}

/** What can come next from some instructions on. */
function nextFrom(inst: readonly Instruction[], from: Iterable<number>): Next {
  const [seen, at] = [new Set<number>(), new Set<number>()];
  let isEnd = false;
  const waiting = [...from];
  for (let pc = waiting.pop(); pc !== undefined; pc = waiting.pop()) {
    const one = inst[pc];
    if (one === undefined || seen.has(pc)) continue;
    seen.add(pc);
    if (takesCharacter(one)) at.add(pc);
    else if (one.op === OP.match) isEnd = true;
    else waiting.push(...waysOn(one));
  }
  return { at, isEnd };
}

/** Whether a program can come to its end without one of its instructions. */
function canEndWithout(inst: readonly Instruction[], start: number, without: number): boolean {
  const seen = new Set([without]);
  const waiting = [start];
  for (let pc = waiting.pop(); pc !== undefined; pc = waiting.pop()) {
    const one = inst[pc];
    if (one === undefined || seen.has(pc)) continue;
    if (one.op === OP.match) return true;
    seen.add(pc);
    waiting.push(...waysOn(one));
  }
  return false;
}

/** The characters that come from some instructions on, up to where a match may end. */
function rowFrom(inst: readonly Instruction[], from: ReadonlySet<number>): readonly Range[][] {
  const row: Range[][] = [];
  let next: Next = { at: from, isEnd: false };
  while (!next.isEnd && row.length < LONGEST) {
    const taken = [...next.at].flatMap((pc) => inst[pc] ?? []);
    row.push(taken.flatMap(rangesOf));
    next = nextFrom(
      inst,
      taken.map(({ out }) => out),
    );
  }
  return row;
}

function takesCharacter({ op }: Instruction): boolean {
  return op >= OP.rune && op <= OP.anyButLineEnd;
}

function isFolded(one: Instruction): boolean {
  return takesCharacter(one) && one.runes.length === 1 && (one.arg & FOLDS_CASE) !== 0;
}

/** Where one goes on that takes no character, or after the one that it takes. */
function waysOn({ op, out, arg }: Instruction): readonly number[] {
  if (op === OP.fail) return [];
  return op === OP.alt || op === OP.altMatch ? [out, arg] : [out];
}

function rangesOf({ op, runes }: Instruction): readonly Range[] {
  if (op === OP.any) return [[0, LAST]];
  if (op === OP.anyButLineEnd)
    return [
      [0, LINE_END - 1],
      [LINE_END + 1, LAST],
    ];
  const at = (index: number): number => runes[index] ?? 0;
  if (runes.length === 1) return [[at(0), at(0)]];
  return Array.from({ length: runes.length / 2 }, (_, pair) => [at(2 * pair), at(2 * pair + 1)]);
}

/** What it says of a text that a character of these stands in it: nothing when all do. */
function bitsOf(ranges: readonly Range[]): number {
  const fitting = USUAL.filter((code) =>
    ranges.some(([first, last]) => code >= first && code <= last),
  );
  return Math.log2(USUAL.length / Math.max(fitting.length, 1));
}

function classOf(ranges: readonly Range[]): string {
  const sign = (code: number): string => `\\u{${code.toString(16)}}`;
  return `[${ranges.map(([first, last]) => `${sign(first)}-${sign(last)}`).join("")}]`;
}
