/** Where a thought stands: on the main track, on a branch, or in the place of an earlier one. */
export interface ThoughtPlace {
  readonly id?: string | undefined;
  readonly number?: number | undefined;
  readonly branchId?: string | undefined;
  /** The number that the branch leaves from; needed at its first thought only. */
  readonly branchFromThought?: number | undefined;
}

/** A thought that has its number and its id for good. */
export interface PlacedThought {
  readonly id: string;
  readonly number: number;
}

/** Numbers the thoughts of one session and keeps their ids apart. Append-only. */
export interface ThoughtLedger {
  /** The given id and number, where they are free, else the next. */
  place(thought: ThoughtPlace): PlacedThought;
  /** The id of the thought with a number: on the branch first, then on the main track, then anywhere. */
  idOf(number: number, branchId: string | undefined): string | undefined;
}

const MAIN = "";

/**
 * Numbers as in Thoughtbox: a branch goes on from where it left, so that two branches of thought 2 both have a
 * thought 3; the main track goes on after the greatest number of all.
 */
export function createThoughtLedger(): ThoughtLedger {
  const ids = new Set<string>();
  const tracks = new Map<string, Map<number, string>>();
  const greatest = new Map<string, number>();
  let greatestOfAll = 0;

  const nextNumber = ({ branchId, branchFromThought }: ThoughtPlace): number => {
    if (branchId === undefined) return greatestOfAll + 1;
    return (greatest.get(branchId) ?? branchFromThought ?? greatestOfAll) + 1;
  };
  const freeId = (wanted: string): string => {
    let id = wanted;
    for (let copy = 2; ids.has(id); copy += 1) id = `${wanted}~${copy}`;
    return id;
  };
  return {
    place(thought) {
      const number = thought.number ?? nextNumber(thought);
      const id = freeId(thought.id ?? `thought-${number}`);
      const trackName = thought.branchId ?? MAIN;
      const track = tracks.get(trackName) ?? new Map<number, string>();
      tracks.set(trackName, track.set(number, id));
      greatest.set(trackName, Math.max(greatest.get(trackName) ?? 0, number));
      greatestOfAll = Math.max(greatestOfAll, number);
      ids.add(id);
      return { id, number };
    },
    idOf(number, branchId) {
      const [first] = [tracks.get(branchId ?? MAIN), tracks.get(MAIN), ...tracks.values()].flatMap(
        (track) => track?.get(number) ?? [],
      );
      return first;
    },
  };
}
