import { processState } from "./process-state.ts";

type Counts = Readonly<Record<string, number>>;

const sources = processState<Map<string, () => Counts>>("process-counts.v1", () => new Map());

/** Has what a part of the process counts told beside the journal, under a name; the later of two with one name stays. */
export function addProcessCounts(name: string, read: () => Counts): void {
  sources.set(name, read);
}

/** What all parts have counted, by name; those that counted nothing are left out. */
export function processCounts(): Readonly<Record<string, Counts>> {
  return Object.fromEntries(
    [...sources].flatMap(([name, read]) => {
      const counts = read();
      return Object.keys(counts).length === 0 ? [] : [[name, counts]];
    }),
  );
}
