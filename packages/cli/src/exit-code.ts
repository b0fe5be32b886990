/** How a command ends; the same numbers for every command. `run` alone passes on its app's own. */
export const ExitCode = {
  ok: 0,
  failure: 1,
  cancelled: 2,
  badArguments: 3,
  authentication: 4,
  network: 5,
  /** It ran, but what it was to show did not happen. */
  unverified: 6,
} as const;
