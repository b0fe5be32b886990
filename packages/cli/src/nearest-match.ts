/** The candidate that is most like the word, when it is like it at all: a typing error away, or its beginning. */
export function nearestMatch(word: string, candidates: readonly string[]): string | undefined {
  const beginning = candidates.find((candidate) => word.length > 1 && candidate.startsWith(word));
  if (beginning !== undefined) return beginning;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best === undefined || best.distance > Math.max(word.length < 4 ? 1 : 2, word.length / 3)) {
    return undefined;
  }
  return best.candidate;
}

/** Insertions, deletions and replacements that turn one word into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const deleted = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, deleted, inserted));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
