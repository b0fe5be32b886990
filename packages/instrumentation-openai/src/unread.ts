import { endEarly } from "./call-end.ts";
import { inOrder } from "./call-order.ts";
import { guarded } from "./degradation.ts";
import type { ModelCall } from "./model-call.ts";

const collected = new FinalizationRegistry<ModelCall>((call) => {
  guarded("ending an abandoned call", () => endEarly(call, "abandoned"));
});

/**
 * Ends the call when `answer`, a promise or a stream that the application holds, is collected unread. Only an
 * answer that takes its time is watched: most are there before the caller's path ends.
 */
export function watch(answer: object, call: ModelCall): void {
  call.unread = answer;
  inOrder(call, watchNow);
}

function watchNow(call: ModelCall): void {
  const { unread, release } = call;
  if (unread === undefined) return;
  call.unread = undefined;
  const token = {};
  collected.register(unread, call, token);
  call.release = () => {
    release?.();
    collected.unregister(token);
  };
}
