/** No name, one, or several: of hundreds of thousands of such lists most have one at most, and a set of each would take ten times as much. */
export type FewNames = undefined | string | Set<string>;

/** The names and one more, if they don't have it; a set grows in place. */
export function withName(names: FewNames, name: string): FewNames {
  if (names === undefined || names === name) return name;
  return typeof names === "string" ? new Set([names, name]) : names.add(name);
}

/** In the order in which they came. */
export function namesIn(names: FewNames): Iterable<string> {
  return names === undefined ? NONE : typeof names === "string" ? [names] : names;
}

export function hasName(names: FewNames, name: string): boolean {
  return typeof names === "object" ? names.has(name) : names === name;
}

const NONE: readonly string[] = [];
