import { endEarly } from "./call-end.ts";
import { guarded } from "./degradation.ts";
import type { ModelCall } from "./model-call.ts";

const collected = new FinalizationRegistry<ModelCall>((call) => {
  guarded("ending an abandoned call", () => endEarly(call, "abandoned"));
});

/** Ends the call when `answer`, a promise or a stream that the application holds, is collected unread. */
export function watch(answer: object, call: ModelCall): void {
  collected.register(answer, call, call);
}

/** The answer is being read, or the call has ended. */
export function forget(call: ModelCall): void {
  collected.unregister(call);
}
