import type { ApiPromise, PromiseWatcher } from "./api-promise.ts";
import { observePromise } from "./api-promise.ts";
import { endEarly, endWithAnswer, endWithError } from "./call-end.ts";
import type { ModelCall } from "./model-call.ts";
import { letGo } from "./model-call.ts";
import { isSdkStream, tapStream } from "./stream-tap.ts";
import { watch } from "./unread.ts";

const WATCHER: PromiseWatcher<ModelCall> = {
  onHead: (call, { response }) => {
    call.response = response;
  },
  onAnswer: answerCall,
  onFailure: endWithError,
  onRawResponse: (call) => endEarly(call, "raw_response"),
};

/** Follows the promise of a call that has begun to the call's end. */
export function followCall(call: ModelCall, promise: ApiPromise): void {
  observePromise(call, WATCHER, promise);
  watch(promise, call);
}

/** Ends the call with its answer, or follows the answer where it is a stream. */
export function answerCall(call: ModelCall, answer: unknown): void {
  if (call.observed || call.ended) return;
  call.observed = true;
  if (!isSdkStream(answer)) {
    endWithAnswer(call, answer);
    return;
  }
  letGo(call);
  tapStream(call, answer);
}
