import type { Context } from "@opentelemetry/api";
import { context, trace } from "@opentelemetry/api";
import { processState } from "./process-state.ts";

const calls = processState<{ find: ((callId: string) => Context | undefined) | undefined }>(
  "call-contexts.v1",
  () => ({ find: undefined }),
);

/**
 * Sets how the context is found that a tool call belongs to, by the id with which a model asked for it: what an
 * instrumentation knows of runs that no program opened. A second call replaces the first.
 */
export function setCallContexts(find: (callId: string) => Context | undefined): void {
  calls.find = find;
}

/** Where a tool call runs that has no span around it, if its id tells. */
export function contextOfCall(callId: string): Context | undefined {
  return trace.getSpan(context.active()) === undefined ? calls.find?.(callId) : undefined;
}
