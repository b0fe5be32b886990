import type { ModelCall } from "./model-call.ts";

/** The SDK repeats a request with the very options object of the first attempt. */
const callByOptions = new WeakMap<object, ModelCall>();

let starting: ModelCall | undefined;

/** Runs `create()` so that the request it makes is known to be this call's. */
export function startingCall<Result>(call: ModelCall, create: () => Result): Result {
  const outer = starting;
  starting = call;
  try {
    return create();
  } finally {
    starting = outer;
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
  } else if (options instanceof Promise) {
    options.then(
      (resolved: unknown) => remember(resolved, call),
      () => {},
    );
  } else {
    remember(options, call);
  }
}

function remember(options: unknown, call: ModelCall): void {
  if (typeof options === "object" && options !== null) callByOptions.set(options, call);
}
