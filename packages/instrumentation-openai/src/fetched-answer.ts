import type { Context } from "@opentelemetry/api";
import { context } from "@opentelemetry/api";
import { isPending } from "./answer-status.ts";
import type { ApiPromise, PromiseWatcher, ResponseProps } from "./api-promise.ts";
import { observePromise } from "./api-promise.ts";
import { endWithError } from "./call-end.ts";
import { startCall } from "./call-start.ts";
import type { ObservedEndpoint } from "./endpoints.ts";
import type { ModelCall } from "./model-call.ts";
import { answerCall } from "./model-call-watcher.ts";
import type { Observer } from "./observer.ts";
import { isSdkStream } from "./stream-tap.ts";

/** A request for an answer that was asked for earlier. Whether it was more than a look is known when it is answered. */
interface Fetch {
  readonly observer: Observer;
  readonly endpoint: ObservedEndpoint;
  readonly baseUrl: unknown;
  readonly request: unknown;
  readonly context: Context;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  props: ResponseProps | undefined;
  parsing: boolean;
  done: boolean;
}

const WATCHER: PromiseWatcher<Fetch> = {
  onHead: (fetch, props) => {
    fetch.props = props;
  },
  onAnswer: (fetch, answer) => {
    if (fetch.done) return;
    fetch.done = true;
    if (!isSdkStream(answer) && isPending(answer)) return;
    begin(fetch, (call) => answerCall(call, answer));
  },
  onFailure: (fetch, error) => {
    if (fetch.done) return;
    fetch.done = true;
    begin(fetch, (call) => endWithError(call, error));
  },
  onRawResponse: (fetch) => {
    fetch.done = true;
  },
};

/**
 * Makes a span of a fetch when it brings an answer or fails; of one that finds the answer unfinished, as polling
 * does again and again, nothing is made.
 */
export function followFetch(
  observer: Observer,
  endpoint: ObservedEndpoint,
  baseUrl: unknown,
  request: unknown,
  promise: ApiPromise,
): void {
  const fetch: Fetch = {
    observer,
    endpoint,
    baseUrl,
    request,
    context: context.active(),
    startTime: Date.now(),
    props: undefined,
    parsing: false,
    done: false,
  };
  observePromise(fetch, WATCHER, promise);
}

function begin(fetch: Fetch, onCall: (call: ModelCall) => void): void {
  const { observer, endpoint, baseUrl, request, startTime, props } = fetch;
  const call = context.with(fetch.context, () =>
    startCall(observer, endpoint, baseUrl, request, startTime),
  );
  if (!("content" in call)) return;
  call.response = props?.response;
  onCall(call);
}
