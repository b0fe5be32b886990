import { context } from "@opentelemetry/api";
import { isApiPromise, observePromise } from "./api-promise.ts";
import { endEarly, endWithError } from "./call-end.ts";
import { startCall } from "./call-start.ts";
import { guarded, warnUnobserved } from "./degradation.ts";
import type { ModelCall } from "./model-call.ts";
import type { Observer } from "./observer.ts";
import type { Method, Unpatch } from "./replace-method.ts";
import { replaceMethod } from "./replace-method.ts";
import { observeAttempt, startingCall } from "./retries.ts";
import { checkVersion } from "./sdk-version.ts";
import type { Surface } from "./surfaces.ts";
import { shapeOf } from "./surfaces.ts";

/**
 * Observes the model calls of an openai module, class or client. Twice is once. An SDK in which nothing is
 * known stays untouched, with one warning.
 *
 * @returns Undoes it; `undefined` when nothing could be observed.
 */
export function patch(observer: Observer, target: unknown): Unpatch | undefined {
  const undo: Unpatch[] = [];
  guarded("patching openai", () => {
    const { surfaces, client } = shapeOf(target);
    for (const surface of surfaces) {
      const replaced = replaceMethod(surface.prototype, "create", (original, isActive) =>
        observedCreate(observer, surface, original, isActive),
      );
      if (replaced !== undefined) undo.push(replaced);
    }
    const replaced =
      client && replaceMethod(client, "makeRequest", (original) => observedAttempt(original));
    if (replaced !== undefined && undo.length > 0) undo.push(replaced);
  });
  if (undo.length > 0) {
    return () => {
      for (const one of undo) one();
    };
  }
  warnUnobserved(
    "THOUGHTFLOW_OPENAI_SHAPE",
    "ThoughtFlow found no model call that it knows in the openai object it was given: its calls are not observed.",
  );
  return undefined;
}

function observedAttempt(original: Method): Method {
  return function makeRequest(...args) {
    guarded("counting attempts", () => observeAttempt(args[0]));
    return original.apply(this, args);
  };
}

function observedCreate(
  observer: Observer,
  { dialect, hasHistory }: Surface,
  original: Method,
  isActive: () => boolean,
): Method {
  return function create(...args) {
    let started: ReturnType<typeof startCall> | undefined;
    if (isActive()) {
      guarded("starting the span", () => {
        const { _client: client } = this as { readonly _client?: { readonly baseURL?: unknown } };
        checkVersion(client);
        started = startCall(observer, dialect, hasHistory, client?.baseURL, args[0]);
      });
    }
    if (started === undefined) return original.apply(this, args);
    if (!("content" in started))
      return context.with(started.context, () => original.apply(this, args));
    const call = started;
    const promise = runOriginal(call, () => original.apply(this, args));
    guarded("following the promise", () => {
      if (isApiPromise(promise)) {
        observePromise(call, promise);
        return;
      }
      endEarly(call, "abandoned");
      warnUnobserved(
        "THOUGHTFLOW_OPENAI_PROMISE",
        "ThoughtFlow does not know the promise that this version of openai returns: its answers are not observed.",
      );
    });
    return promise;
  };
}

function runOriginal(call: ModelCall, original: () => unknown): unknown {
  try {
    return context.with(call.context, () => startingCall(call, original));
  } catch (error) {
    guarded("reading a failure", () => endWithError(call, error));
    throw error;
  }
}
