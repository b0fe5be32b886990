import { nextThoughtNumber, type ThoughtBranch, thoughtIdFrom } from "@thoughtflow/thoughts";

/** Where a thought stands: on the main track, on a branch, or in the place of an earlier one. */
export interface ThoughtPlace {
  readonly id?: string;
  readonly number?: number;
  readonly branchId?: string;
  /** The number that the branch leaves from; needed at its first thought only. */
  readonly branchFromThought?: number;
}

/** A thought that has its number and its id for good. */
export interface PlacedThought {
  readonly id: string;
  readonly thoughtNumber: number;
  readonly branchId?: string;
}

/** The thoughts of one session, as far as numbering the next ones needs them. Append-only. */
export interface ThoughtLedger {
  /** The given id and number, where the id is free, else the next. */
  place(thought: ThoughtPlace): PlacedThought;
  /** The id of the thought with a number: on the branch first, then on the main track, then anywhere. */
  idOf(number: number, branchId: string | undefined): string | undefined;
}

/** An empty ledger. */
export function createThoughtLedger(): ThoughtLedger {
  const used = new Set<string>();
  const byNumber = new Map<number, PlacedThought[]>();
  /** The one with the greatest number, of the session and by branch. */
  const greatest = new Map<string | undefined, PlacedThought>();

  function nextNumber(branch: ThoughtBranch | undefined): number {
    const last = greatest.get(branch?.branchId);
    return nextThoughtNumber(last === undefined ? [] : [last], branch);
  }

  function keepGreatest(track: string | undefined, thought: PlacedThought): void {
    const last = greatest.get(track);
    if (last === undefined || nextThoughtNumber([last, thought]) > nextThoughtNumber([last]))
      greatest.set(track, thought);
  }

  return {
    place({ id: wanted, number, branchId, branchFromThought }) {
      const branch =
        branchId === undefined
          ? undefined
          : { branchId, ...(branchFromThought !== undefined && { branchFromThought }) };
      const thoughtNumber = number ?? nextNumber(branch);
      const id = thoughtIdFrom(wanted, thoughtNumber, (one) => used.has(one));
      const placed = { id, thoughtNumber, ...(branchId !== undefined && { branchId }) };
      used.add(id);
      keepGreatest(undefined, placed);
      if (branchId !== undefined) keepGreatest(branchId, placed);
      const same = byNumber.get(thoughtNumber);
      if (same === undefined) byNumber.set(thoughtNumber, [placed]);
      else same.push(placed);
      return placed;
    },
    idOf(number, branchId) {
      const all = byNumber.get(number) ?? [];
      const on = (track: string | undefined): PlacedThought | undefined =>
        all.find((thought) => thought.branchId === track);
      return (on(branchId) ?? on(undefined) ?? all[0])?.id;
    },
  };
}
