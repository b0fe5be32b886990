import { nextThoughtNumber, thoughtIdFrom } from "@thoughtflow/thoughts";

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
  const thoughts = new Map<string, PlacedThought>();
  return {
    place({ id: wanted, number, branchId, branchFromThought }) {
      const branch = branchId !== undefined && {
        branchId,
        ...(branchFromThought !== undefined && { branchFromThought }),
      };
      const thoughtNumber = number ?? nextThoughtNumber(thoughts.values(), branch || undefined);
      const id = thoughtIdFrom(wanted, thoughtNumber, (used) => thoughts.has(used));
      const placed = { id, thoughtNumber, ...(branchId !== undefined && { branchId }) };
      thoughts.set(id, placed);
      return placed;
    },
    idOf(number, branchId) {
      const all = [...thoughts.values()].filter(({ thoughtNumber }) => thoughtNumber === number);
      const on = (track: string | undefined): PlacedThought | undefined =>
        all.find((thought) => thought.branchId === track);
      return (on(branchId) ?? on(undefined) ?? all[0])?.id;
    },
  };
}
