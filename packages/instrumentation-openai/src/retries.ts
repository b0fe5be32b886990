import { isPromise } from "node:util/types";
import { ATTR_HTTP_REQUEST_RESEND_COUNT, EVENT_THOUGHTFLOW_RETRY } from "@thoughtflow/semconv";
import type { ModelCall } from "./model-call.ts";
import type { ResponseHeaders } from "./response-head.ts";
import { headAttributes } from "./response-head.ts";

/**
 * The calls in flight: the SDK repeats a request with the very options object of the first attempt. Not held weakly,
 * which costs every call of the app several microseconds; a call that ends takes itself out.
 */
const callByOptions = new Map<unknown, ModelCall>();

/** The status of the answers that the SDK asked itself about, by their headers: a retry is only told those. */
const statusByHeaders = new WeakMap<object, unknown>();

let starting: ModelCall | undefined;
let isInside = false;

/** Whether a method of the SDK is being run that is observed itself: the request that it makes is no other call. */
export function isInsideCall(): boolean {
  return isInside;
}

/** Runs a method of the SDK so that the request it makes is known to be this call's; `undefined`: nobody's. */
export function insideCall<Result>(call: ModelCall | undefined, method: () => Result): Result {
  const outer = starting;
  const wasInside = isInside;
  starting = call;
  isInside = true;
  try {
    return method();
  } finally {
    starting = outer;
    isInside = wasInside;
  }
}

/** Sees every attempt of every request of a client, before it is made. */
export function observeAttempt(options: unknown): void {
  if (typeof options !== "object" || options === null) return;
  const call = starting;
  starting = undefined;
  if (call === undefined) {
    const retried = callByOptions.get(options);
    if (retried !== undefined) retried.retries += 1;
  } else if (isPromise(options)) {
    options.then(
      (resolved: unknown) => remember(resolved, call),
      () => {},
    );
  } else {
    remember(options, call);
  }
}

/** Sees every answer that the SDK might ask for again. */
export function rememberFailure(response: unknown): void {
  const { status, headers } = (response ?? {}) as {
    readonly status?: unknown;
    readonly headers?: object;
  };
  if (headers !== undefined) statusByHeaders.set(headers, status);
}

/** Sees that a request is about to be repeated: an event on the call's span, with what the failed attempt was told. */
export function tellRetry([options, ...rest]: readonly unknown[]): void {
  const call = callByOptions.get(options);
  if (call === undefined) return;
  const headers = rest.find(
    (arg) => typeof arg === "object" && arg !== null && !(arg instanceof AbortSignal),
  );
  call.span.addEvent(EVENT_THOUGHTFLOW_RETRY, {
    [ATTR_HTTP_REQUEST_RESEND_COUNT]: call.retries + 1,
    ...(headers != null &&
      headAttributes(statusByHeaders.get(headers), headers as ResponseHeaders)),
  });
}

function remember(options: unknown, call: ModelCall): void {
  if (call.ended) return;
  call.options = options;
  callByOptions.set(options, call);
}

/** The call has ended: its request is not repeated any more. */
export function forgetAttempts(call: ModelCall): void {
  callByOptions.delete(call.options);
}
