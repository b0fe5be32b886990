import { ATTR_THOUGHTFLOW_RUN_STATUS } from "@thoughtflow/semconv";
import type { ModelCall } from "./model-call.ts";

/** Streams of which something has come and not the end, of every instrumentation in the process, and how each is ended. */
const openStreams = new Map<ModelCall, () => void>();

/** Something of a streamed answer is there. `end` ends the call with what came until then. */
export function noteOpenStream(call: ModelCall, end: () => void): void {
  openStreams.set(call, end);
}

export function forgetOpenStream(call: ModelCall): void {
  openStreams.delete(call);
}

/**
 * Ends the calls whose answers are still coming, with what came of them: for the end of the process. What a call without
 * a chunk was given is known already; it stays open.
 *
 * @param status of a run of such a call that no program opened; by default `aborted`, since its answer never was whole
 */
export function endOpenStreams(status: "error" | "aborted" = "aborted"): void {
  for (const [{ run }, end] of [...openStreams]) {
    run?.span.setAttribute(ATTR_THOUGHTFLOW_RUN_STATUS, status);
    end();
  }
}
