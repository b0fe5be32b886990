import { endEarly } from "./call-end.ts";
import { guarded } from "./degradation.ts";
import type { ModelCall } from "./model-call.ts";
import { soon } from "./soon.ts";

const collected = new FinalizationRegistry<ModelCall>((call) => {
  guarded("ending an abandoned call", () => endEarly(call, "abandoned"));
});

/**
 * Ends the call when `answer`, a promise or a stream that the application holds, is collected unread. Only an
 * answer that takes its time is watched: most are not even there yet when the caller's path ends.
 */
export function watch(answer: object, call: ModelCall): void {
  const token = {};
  call.unread = token;
  soon(() => {
    if (call.unread === token) collected.register(answer, call, token);
  });
}

/** The answer is being read, or the call has ended. */
export function forget(call: ModelCall): void {
  if (call.unread === undefined) return;
  collected.unregister(call.unread);
  call.unread = undefined;
}
