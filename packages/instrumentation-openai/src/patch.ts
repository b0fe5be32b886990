import { context } from "@opentelemetry/api";
import { isApiPromise, observePromise } from "./api-promise.ts";
import { endEarly, endWithError } from "./call-end.ts";
import { startCall } from "./call-start.ts";
import { guarded, warnUnobserved } from "./degradation.ts";
import type { ModelCall } from "./model-call.ts";
import type { Observer } from "./observer.ts";
import { observeAttempt, startingCall } from "./retries.ts";
import { checkVersion } from "./sdk-version.ts";
import type { Surface } from "./surfaces.ts";
import { shapeOf } from "./surfaces.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** On every function put in place of the SDK's, so that no second copy of us wraps it again. */
const ORIGINAL: unique symbol = Symbol.for("thoughtflow.original.v1");

/** Undoes a patch; methods that somebody else wrapped since then stay as they are, and observe nothing more. */
export type Unpatch = () => void;

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

function replaceMethod(
  owner: object,
  name: string,
  wrap: (original: Method, isActive: () => boolean) => Method,
): Unpatch | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  const original = descriptor?.value as (Method & { [ORIGINAL]?: Method }) | undefined;
  if (typeof original !== "function") return undefined;
  if (original[ORIGINAL] !== undefined) return () => {};
  let active = true;
  const wrapper = wrap(original, () => active);
  Object.defineProperties(wrapper, {
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
    [ORIGINAL]: { value: original },
  });
  Object.defineProperty(owner, name, { ...descriptor, value: wrapper });
  return () => {
    active = false;
    const now = Object.getOwnPropertyDescriptor(owner, name);
    if (now?.value === wrapper) Object.defineProperty(owner, name, { ...now, value: original });
  };
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
