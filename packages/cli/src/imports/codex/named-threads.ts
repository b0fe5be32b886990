import { textOf } from "../plain-values.ts";
import type { RolloutLine } from "./records.ts";

/** The threads that events of a thread name, which tell of a reviewer as of itself, and when each was named first: milliseconds. */
export type NamedThreads = Map<string, number>;

export function noteThread({ kind, payload, ms }: RolloutLine, named: NamedThreads): void {
  const id = kind === "event_msg" ? textOf(payload["thread_id"]) : undefined;
  if (id !== undefined && ms !== undefined && !named.has(id)) named.set(id, ms);
}
