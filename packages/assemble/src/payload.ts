type Members = Readonly<Record<string, unknown>>;

/**
 * What a step says at its start or end: as it is, or what reads it, as often as it is looked at. Who reads it is part of
 * the document: make it outside of all that only assembly needs, or that stays in memory, too.
 */
export type Payload = Members | (() => Members | undefined);

/** The members themselves. */
export function membersOf(payload: Payload | undefined): Members | undefined {
  return typeof payload === "function" ? payload() : payload;
}

/** The members of both, read as late as the first that is; what the second has wins. */
export function mergedPayload(first: Payload | undefined, second: Payload | undefined): Payload {
  const merge = (): Members => ({ ...membersOf(first), ...membersOf(second) });
  return typeof first === "function" || typeof second === "function" ? merge : merge();
}
