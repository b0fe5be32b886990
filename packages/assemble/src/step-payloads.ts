import type { Step } from "@thoughtflow/schema";
import { membersOf, type Payload } from "./payload.ts";

type PayloadKey = "payload_started" | "payload_completed";

/**
 * Gives a step a payload. One that is read late becomes a property like any other, read again whenever somebody looks
 * at it, so that no document has all its texts in memory.
 */
export function setPayload(step: Step, key: PayloadKey, payload: Payload | undefined): void {
  if (typeof payload !== "function") {
    if (payload !== undefined) step[key] = { ...payload };
    return;
  }
  const { source, property } = reading[key];
  Object.defineProperty(step, source, { value: payload });
  Object.defineProperty(step, key, property);
}

const reading = {
  payload_started: readingProperty(Symbol("payload_started")),
  payload_completed: readingProperty(Symbol("payload_completed")),
} as const;

/** One getter for all steps, or each would have a shape of its own. */
function readingProperty(source: symbol): { source: symbol; property: PropertyDescriptor } {
  const property: PropertyDescriptor & ThisType<Record<symbol, Payload>> = {
    get() {
      return membersOf(this[source]);
    },
    enumerable: true,
    configurable: true,
  };
  return { source, property };
}
