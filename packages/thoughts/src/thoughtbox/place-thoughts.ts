import { countFrom } from "../thought-count.ts";
import {
  createThoughtLedger,
  type PlacedThought,
  type ThoughtLedger,
  type ThoughtPlace,
} from "../thought-ledger.ts";
import { textOf, textsOf } from "./fields.ts";
import { isoNanoseconds } from "./iso-nanoseconds.ts";
import { isObject, type ThoughtboxEntry, type ThoughtboxSession } from "./read-thoughtbox.ts";

/** A thought of a file with its place among the others. */
export interface PlacedEntry {
  readonly entry: ThoughtboxEntry;
  /** Where it stands in the file, from 0. */
  readonly position: number;
  readonly place: ThoughtPlace;
  readonly placed: PlacedThought;
  /** To earlier thoughts, and to what was given for one that is not there. */
  readonly edges: readonly { readonly to: string; readonly type: string }[];
  /** What it refers to that is not there. */
  readonly problems: readonly string[];
}

/**
 * The thoughts of a session in the order in which they were thought, each with its number, its id and what it rests on:
 * the thought before it on its track, where its branch leaves, what it revises, merges, or refutes.
 */
export function placeThoughts({ envelope, thoughts }: ThoughtboxSession): readonly PlacedEntry[] {
  const about = isObject(envelope["session"]) ? envelope["session"] : {};
  const merges = mergesByNumber(envelope, about);
  const ledger = createThoughtLedger();
  return orderOf(thoughts).flatMap((position): PlacedEntry[] => {
    const entry = thoughts[position];
    if (entry === undefined) return [];
    const place = placeOf(entry.thought, merges);
    const placed = ledger.place(place);
    const edges = edgesOf(entry.thought, placed, ledger);
    return [{ entry, position, place, placed, edges, problems: problemsOf(place, placed) }];
  });
}

/**
 * Files list thoughts in any order. Their times tell the right one; where one has none it is that of the file, and where
 * that contradicts the numbers of a track, that of the numbers.
 */
function orderOf(entries: readonly ThoughtboxEntry[]): readonly number[] {
  const times = entries.map(({ thought }) => isoNanoseconds(thought["timestamp"]));
  const numbers = entries.map(({ thought }) => countFrom(thought["thoughtNumber"]) ?? 0);
  const positions = [...entries.keys()];
  const byNumber = (a: number, b: number): number => (numbers[a] ?? 0) - (numbers[b] ?? 0);
  if (times.every((time) => time !== undefined))
    return positions.toSorted((a, b) => compare(times[a], times[b]) || byNumber(a, b));
  const last = new Map<unknown, number>();
  const isInOrder = entries.every(({ thought }, at) => {
    const track = textOf(thought["branchId"]);
    const number = numbers[at] ?? 0;
    const isNext = number === 0 || number >= (last.get(track) ?? 0);
    last.set(track, number);
    return isNext;
  });
  return isInOrder || numbers.includes(0) ? positions : positions.toSorted(byNumber);
}

function compare(a = 0n, b = 0n): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeOf(
  thought: ThoughtboxEntry["thought"],
  merges: ReadonlyMap<number, readonly string[]>,
): ThoughtPlace {
  const number = countFrom(thought["thoughtNumber"]);
  const id = textOf(thought["id"]);
  const branchId = textOf(thought["branchId"]);
  const branchFromThought = countFrom(thought["branchFromThought"]);
  const revisesThought = countFrom(thought["revisesThought"]);
  const given = textsOf(thought["mergesBranches"]);
  const mergesBranches =
    given.length > 0 || branchId !== undefined || number === undefined
      ? given
      : (merges.get(number) ?? []);
  return {
    ...(id !== undefined && { id }),
    ...(number !== undefined && { number }),
    ...(branchId !== undefined && { branchId }),
    ...(branchFromThought !== undefined && { branchFromThought }),
    ...(revisesThought !== undefined && { revisesThought }),
    ...(mergesBranches.length > 0 && { mergesBranches }),
  };
}

/** What a thought rests on, and the thoughts that a changed assumption is about. */
function edgesOf(
  { branchId, assumptionChange }: ThoughtboxEntry["thought"],
  { id, relations }: PlacedThought,
  ledger: ThoughtLedger,
): PlacedEntry["edges"] {
  const downstream = isObject(assumptionChange) ? assumptionChange["downstream"] : undefined;
  const concerned = (Array.isArray(downstream) ? downstream : []).flatMap((item) => {
    const number = countFrom(item);
    const to = number === undefined ? undefined : ledger.idOf(number, textOf(branchId));
    return to === undefined || to === id ? [] : [to];
  });
  return [
    ...relations.map(({ to, type }) => ({ to, type })),
    ...[...new Set(concerned)].map((to) => ({ to, type: "related_to" })),
  ];
}

/** Numbers and branches that no thought before it has. */
function problemsOf(place: ThoughtPlace, { relations }: PlacedThought): readonly string[] {
  const dangling = new Set(
    relations.filter(({ isDangling }) => isDangling).map(({ type }) => type),
  );
  const given = [
    ["branches_from", "branchFromThought"],
    ["revises", "revisesThought"],
    ["merges", "mergesBranches"],
  ] as const;
  return given
    .filter(([type]) => dangling.has(type))
    .map(([, field]) => `${field} ${JSON.stringify(place[field])}: no thought before it has that`);
}

/** Archives say at the branch which main-track thought merged it. */
function mergesByNumber(
  envelope: ThoughtboxSession["envelope"],
  about: Readonly<Record<string, unknown>>,
): ReadonlyMap<number, readonly string[]> {
  const merges = new Map<number, string[]>();
  for (const branch of [envelope["branches"], about["branches"]].flat()) {
    if (!isObject(branch)) continue;
    const name = textOf(branch["branchId"]) ?? textOf(branch["branch_id"]) ?? textOf(branch["id"]);
    const number = countFrom(branch["mergeThoughtNumber"] ?? branch["merge_thought_number"]);
    if (name === undefined || number === undefined) continue;
    merges.set(number, [...(merges.get(number) ?? []), name]);
  }
  return merges;
}
