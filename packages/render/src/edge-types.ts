/** Edge types that say no more than the arrow does. */
export const plainTypes: ReadonlySet<string> = new Set([
  "depends_on",
  "responds_to",
  "requests",
  "returns",
  "reads",
  "uses_snapshot",
  "sequential",
  "follows",
  "next_run",
  "next_step",
]);
