import { thoughtIdFrom } from "./thought-id.ts";
import { nextThoughtNumber, type ThoughtBranch } from "./thought-number.ts";

/** Where a thought stands: on the main track, on a branch, or in the place of an earlier one. */
export interface ThoughtPlace {
  readonly id?: string;
  readonly number?: number;
  readonly branchId?: string;
  /** The number that the branch leaves from; needed at its first thought only. */
  readonly branchFromThought?: number;
  /** The number of the thought that this one replaces. */
  readonly revisesThought?: number;
  /** The branches that end in this thought. */
  readonly mergesBranches?: readonly string[];
  /** The id of the thought or tool call that this one is about. */
  readonly relatedTo?: string;
}

/** How thoughts hang together, in the words of edges. */
export type ThoughtRelationType = "follows" | "branches_from" | "revises" | "merges";

/** One tie of a thought to an earlier one. */
export interface ThoughtRelation {
  readonly type: ThoughtRelationType;
  /** The earlier thought's id; where there is none, what stands for it: `thought:<number>`, `branch:<name>`. */
  readonly to: string;
  /** No thought before it is that. */
  readonly isDangling?: true;
}

/** A thought that has its number and its id for good. */
export interface PlacedThought {
  readonly id: string;
  readonly thoughtNumber: number;
  readonly branchId?: string;
  /** Whether the given id was used before, so that this thought has another. */
  readonly isRenamed: boolean;
  /** Whether what it is about is, in the end, about this very id. */
  readonly isCyclic: boolean;
  /** To the one before it on its track, or to where its branch left; to what it revises; to the ends of what it merges. */
  readonly relations: readonly ThoughtRelation[];
}

/** The thoughts of one session, as far as placing the next ones needs them. Append-only. */
export interface ThoughtLedger {
  /** The given id and number, where the id is free, else the next. */
  place(thought: ThoughtPlace): PlacedThought;
  /** The id of the thought with a number: on the branch first, then on the main track, then anywhere. */
  idOf(number: number, branchId: string | undefined): string | undefined;
  has(id: string): boolean;
  /** The ids of the thoughts placed last, latest first. */
  latest(count: number): readonly string[];
  readonly size: number;
}

/** What placing the next ones needs of a thought: there may be a hundred thousand. */
type KnownThought = Pick<PlacedThought, "id" | "thoughtNumber" | "branchId">;

/** The thoughts of a track: the last one, and the one with the greatest number. */
interface Track {
  last: KnownThought;
  greatest: KnownThought;
}

/** An empty ledger. */
export function createThoughtLedger(): ThoughtLedger {
  /** What each thought is about, by its id. */
  const used = new Map<string, string | undefined>();
  /** What thoughts are about that was not there when they were placed. */
  const awaited = new Set<string>();
  const ids: string[] = [];
  const byNumber = new Map<number, KnownThought[]>();
  const tracks = new Map<string | undefined, Track>();
  let greatest: KnownThought | undefined;

  function nextNumber(branch: ThoughtBranch | undefined): number {
    const last = branch === undefined ? greatest : tracks.get(branch.branchId)?.greatest;
    return nextThoughtNumber(last === undefined ? [] : [last], branch);
  }

  function idOf(number: number, branchId: string | undefined): string | undefined {
    const all = byNumber.get(number) ?? [];
    const on = (track: string | undefined): KnownThought | undefined =>
      all.find((thought) => thought.branchId === track);
    return (on(branchId) ?? on(undefined) ?? all[0])?.id;
  }

  function relationsOf(thought: ThoughtPlace): readonly ThoughtRelation[] {
    const { branchId, branchFromThought, revisesThought, mergesBranches = [] } = thought;
    const before = tracks.get(branchId)?.last.id;
    const relations: ThoughtRelation[] = [];
    const relate = (type: ThoughtRelationType, to: string | undefined, given: string): void => {
      relations.push(to === undefined ? { type, to: given, isDangling: true } : { type, to });
    };
    if (before !== undefined) relations.push({ type: "follows", to: before });
    if (branchFromThought !== undefined && (branchId === undefined || before === undefined))
      relate("branches_from", idOf(branchFromThought, undefined), `thought:${branchFromThought}`);
    if (revisesThought !== undefined)
      relate("revises", idOf(revisesThought, branchId), `thought:${revisesThought}`);
    for (const merged of new Set(mergesBranches))
      relate("merges", tracks.get(merged)?.last.id, `branch:${merged}`);
    return relations;
  }

  /** Whether `from` leads to `id`, a thought that is not placed yet. */
  function leadsTo(from: string | undefined, id: string): boolean {
    if (from === id) return true;
    // Only a thought that somebody named before it was there can be led to.
    if (from === undefined || !awaited.has(id)) return false;
    const seen = new Set<string>();
    for (let at: string | undefined = from; at !== undefined && !seen.has(at); at = used.get(at)) {
      if (at === id) return true;
      seen.add(at);
    }
    return false;
  }

  function keep(
    { id, thoughtNumber, branchId }: PlacedThought,
    relatedTo: string | undefined,
  ): void {
    const known: KnownThought = {
      id,
      thoughtNumber,
      ...(branchId !== undefined && { branchId }),
    };
    used.set(id, relatedTo);
    ids.push(id);
    if (relatedTo !== undefined && !used.has(relatedTo)) awaited.add(relatedTo);
    greatest = greater(greatest, known);
    const track = tracks.get(branchId);
    tracks.set(branchId, { last: known, greatest: greater(track?.greatest, known) });
    const same = byNumber.get(thoughtNumber);
    if (same === undefined) byNumber.set(thoughtNumber, [known]);
    else same.push(known);
  }

  return {
    place(thought) {
      const { id: wanted, number, branchId, branchFromThought, relatedTo } = thought;
      const branch =
        branchId === undefined
          ? undefined
          : { branchId, ...(branchFromThought !== undefined && { branchFromThought }) };
      const thoughtNumber = number ?? nextNumber(branch);
      const id = thoughtIdFrom(wanted, thoughtNumber, (one) => used.has(one));
      const placed: PlacedThought = {
        id,
        thoughtNumber,
        ...(branchId !== undefined && { branchId }),
        isRenamed: wanted !== undefined && wanted !== "" && wanted !== id,
        isCyclic: leadsTo(relatedTo, id),
        relations: relationsOf(thought),
      };
      keep(placed, relatedTo);
      return placed;
    },
    idOf,
    has: (id) => used.has(id),
    latest: (count) => ids.slice(-count).reverse(),
    get size() {
      return used.size;
    },
  };
}

function greater(known: KnownThought | undefined, placed: KnownThought): KnownThought {
  if (known === undefined) return placed;
  return nextThoughtNumber([known, placed]) > nextThoughtNumber([known]) ? placed : known;
}
