import { processState } from "./process-state.ts";
import { activeTracer } from "./tracer.ts";

const readers = processState("prompt-readers.v1", () => ({ expected: false }));

/** Says that model calls are observed by a provider that is not the global one: their prompts are to be remembered. */
export function expectPrompts(): void {
  readers.expected = true;
}

/** Whether anybody may want to know what a prompt was made of. */
export function tracesPrompts(): boolean {
  return readers.expected || activeTracer() !== undefined;
}
