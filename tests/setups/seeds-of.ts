import type { Session, Step } from "@thoughtflow/schema";

/** The seeds of a session's model calls, by run: apps of these tests say with them whose a call is. */
export function seedsOf({ conversations }: Session): number[][] {
  return conversations.map(({ steps }) => steps.flatMap(seedOf));
}

function seedOf({ payload_started }: Step): number[] {
  const parameters = payload_started?.["arguments"] as { readonly seed?: number } | undefined;
  return parameters?.seed === undefined ? [] : [parameters.seed];
}
