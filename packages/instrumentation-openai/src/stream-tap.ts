import { setImmediate } from "node:timers";
import { addChunk, endEarly, endWithAnswer, endWithError } from "./call-end.ts";
import { guarded, noteFailure } from "./degradation.ts";
import type { Callable } from "./in-place-of.ts";
import { inPlaceOf } from "./in-place-of.ts";
import type { ModelCall } from "./model-call.ts";
import { watch } from "./unread.ts";

/** The part of the SDK's `Stream` that every version has: all ways of reading go through `iterator`. */
export interface SdkStream {
  iterator: () => AsyncIterator<unknown>;
  readonly controller: AbortController;
}

/** Whether a value has what is observed of the SDK's stream: an `iterator` of its own and a `controller`. */
export function isSdkStream(value: unknown): value is SdkStream {
  if (typeof value !== "object" || value === null) return false;
  const { iterator, controller } = value as { iterator?: unknown; controller?: unknown };
  // Not by class: polyfills and other realms have an AbortController of their own.
  const { signal } = (controller ?? {}) as { readonly signal?: Partial<AbortSignal> };
  return typeof iterator === "function" && typeof signal?.addEventListener === "function";
}

/**
 * Looks at the chunks of a stream as they are read. The stream stays the SDK's own; nothing is read ahead, and
 * closing it aborts the request as it does without us.
 */
export function tapStream(call: ModelCall, stream: SdkStream): void {
  const original = stream.iterator;
  let tapped = false;
  stream.iterator = new Proxy(original, {
    apply() {
      const source = original.call(stream);
      // A second reader gets the SDK's own complaint; it is not the one that is observed.
      if (tapped) return source;
      tapped = true;
      tapIterator(call, source, stream);
      return source;
    },
  });
  watch(stream, call);
  endOnAbort(call, stream.controller.signal);
}

/** An abort that nobody reads after would leave the call open; a reader that sees it ends the call first. */
function endOnAbort(call: ModelCall, signal: AbortSignal): void {
  const onAbort = (): void => {
    setImmediate(() => guarded("ending an aborted stream", () => endEarly(call, "aborted")));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  call.release = () => signal.removeEventListener("abort", onAbort);
}

/** `stream` is held, so that it is not taken for abandoned while only its iterator is in use. */
function tapIterator(call: ModelCall, source: AsyncIterator<unknown>, stream: SdkStream): void {
  const onResult = (result: IteratorResult<unknown>): IteratorResult<unknown> => {
    try {
      if (result.done !== true) addChunk(call, result.value);
      else if (stream.controller.signal.aborted) endEarly(call, "aborted");
      else endWithAnswer(call, call.fold?.response());
    } catch (error) {
      noteFailure("reading a chunk", error);
    }
    return result;
  };
  const onFailure = (error: unknown): never => {
    guarded("reading a failure", () => endWithError(call, error));
    throw error;
  };
  const { next, return: close, throw: fail } = source;
  replaceOn(source, "next", next, (...args: [] | [unknown]) =>
    next.apply(source, args).then(onResult, onFailure),
  );
  const closing = (method: (value: unknown) => unknown) => (value: unknown) => {
    const closed = method.call(source, value);
    guarded("closing a stream", () => endEarly(call, "cancelled"));
    return closed;
  };
  if (typeof close === "function") replaceOn(source, "return", close, closing(close));
  if (typeof fail === "function") replaceOn(source, "throw", fail, closing(fail));
}

/** On the iterator itself, which was made for this reader alone: it keeps its class and shows no more keys. */
function replaceOn<F extends Callable>(
  iterator: object,
  name: string,
  original: Callable,
  replacement: F,
): void {
  const value = inPlaceOf(original, replacement);
  Reflect.defineProperty(iterator, name, { value, configurable: true, writable: true });
}
