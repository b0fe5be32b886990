import { setImmediate } from "node:timers";
import { isPromise } from "node:util/types";
import { guarded } from "./degradation.ts";
import { inPlaceOf } from "./in-place-of.ts";

/** What the SDK keeps of a request, as far as it is looked at; `response` is that of the last attempt. */
export interface ResponseProps {
  response?: {
    readonly status?: unknown;
    readonly headers?: { get?(name: string): string | null };
  };
}

type Transform = (value: unknown, ...rest: unknown[]) => unknown;

/** The SDK's promise: it parses the body only when somebody asks for it. */
export interface ApiPromise {
  responsePromise: Promise<ResponseProps>;
  parseResponse: (client: unknown, props: unknown, ...rest: unknown[]) => Promise<unknown>;
  asResponse: () => Promise<unknown>;
  /** There from the moment that somebody wants the body parsed. */
  parsedPromise?: unknown;
  _thenUnwrap: (transform: Transform, ...rest: unknown[]) => ApiPromise;
}

/**
 * Whether a value has all that is observed of the SDK's promise; a version whose promise is another is left alone. Not by
 * class: an app may have put another in the place of `Promise`, or loaded the SDK in a realm of its own.
 */
export function isApiPromise(value: unknown): value is ApiPromise {
  if (typeof value !== "object" || value === null) return false;
  const promise = value as Partial<Record<keyof ApiPromise, unknown>>;
  return (
    isPromise(promise.responsePromise) &&
    typeof promise.parseResponse === "function" &&
    typeof promise.asResponse === "function" &&
    typeof promise._thenUnwrap === "function"
  );
}

/** Told what becomes of a promise. */
export interface PromiseWatcher<Call> {
  onHead(call: Call, props: ResponseProps): void;
  /** The application has the parsed answer, or will have it in this tick; more than once for derived promises. */
  onAnswer(call: Call, answer: unknown): void;
  onFailure(call: Call, error: unknown): void;
  /** The application took the answer unparsed. */
  onRawResponse(call: Call): void;
}

/**
 * Observes what the application does with the SDK's promise, and nothing that it does not: the body is parsed
 * when the application wants it parsed, and a rejection that it ignores stays an unhandled one, once. Only own
 * properties of the promise are replaced and none is added: it looks as it does without us.
 */
export function observePromise<Call extends { parsing: boolean }>(
  call: Call,
  watcher: PromiseWatcher<Call>,
  promise: ApiPromise,
): void {
  if (isPagePromise(promise)) {
    hookPage(call, watcher, promise);
    return;
  }
  const family = [promise];
  promise.responsePromise = promise.responsePromise.then(
    (props) => {
      guarded("reading the response's head", () => watcher.onHead(call, props));
      // Nearly every app awaits the answer; to look for another use of it costs microseconds.
      if (family.every(isUnparsed)) {
        guarded("waiting for a raw response", () => noticeRawUse(call, watcher, props));
      }
      return props;
    },
    (error: unknown) => {
      guarded("reading a failure", () => watcher.onFailure(call, error));
      throw error;
    },
  );
  hook(call, watcher, promise, family);
}

function isUnparsed({ parsedPromise }: ApiPromise): boolean {
  return parsedPromise === undefined;
}

/** `family`: a promise and those made from it, held by each, so that the call is not taken for abandoned. */
function hook<Call extends { parsing: boolean }>(
  call: Call,
  watcher: PromiseWatcher<Call>,
  promise: ApiPromise,
  family: ApiPromise[],
): void {
  const { parseResponse, _thenUnwrap } = promise;

  promise.parseResponse = inPlaceOf(parseResponse, (client, props, ...rest) => {
    call.parsing = true;
    return parseResponse.call(promise, client, props, ...rest).then(
      (value) => {
        guarded("reading the answer", () => watcher.onAnswer(call, value));
        return value;
      },
      (error: unknown) => {
        guarded("reading a failure", () => watcher.onFailure(call, error));
        throw error;
      },
    );
  });

  // Before openai 7.5 it is a method, which reads both properties above from the promise.
  if (!Object.hasOwn(promise, "_thenUnwrap")) return;
  promise._thenUnwrap = inPlaceOf(_thenUnwrap, (transform: Transform, ...rest: unknown[]) => {
    const observed: Transform = (value, ...more) => {
      guarded("reading the answer", () => watcher.onAnswer(call, value));
      return transform(value, ...more);
    };
    const derived = _thenUnwrap.call(promise, observed, ...rest);
    guarded("following a derived promise", () => {
      derived.responsePromise = promise.responsePromise;
      family.push(derived);
      hook(call, watcher, derived, family);
    });
    return derived;
  });
}

/**
 * The first to read `response` is the SDK's parser, or `asResponse`, which then leaves the body to the application:
 * that is all there will be to see.
 */
function noticeRawUse<Call extends { parsing: boolean }>(
  call: Call,
  watcher: PromiseWatcher<Call>,
  props: ResponseProps,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(props, "response");
  if (call.parsing || descriptor?.configurable !== true) return;
  const restore = (value: ResponseProps["response"]) => {
    Object.defineProperty(props, "response", { ...descriptor, value });
    return value;
  };
  Object.defineProperty(props, "response", {
    enumerable: true,
    configurable: true,
    set: restore,
    get() {
      // Whoever asks for the response beside the parsed answer may ask for it first.
      if (!call.parsing) {
        setImmediate(() =>
          guarded("reading a raw response", () => {
            if (!call.parsing) watcher.onRawResponse(call);
          }),
        );
      }
      return restore(descriptor.value);
    },
  });
}

type Then = (onAnswer?: unknown, onFailure?: unknown) => Promise<unknown>;

/** A promise of a list that only stands before the one that does the work, as openai 7.5 and later make it. */
interface PagePromise {
  then: Then;
  catch: (onFailure?: unknown) => Promise<unknown>;
}

function isPagePromise(promise: object): promise is PagePromise {
  return Object.hasOwn(promise, "then") && Object.hasOwn(promise, "catch");
}

/** Its request is none of its own: following that would leave a rejection that nobody handles. */
function hookPage<Call>(call: Call, watcher: PromiseWatcher<Call>, promise: PagePromise): void {
  const { then, catch: original } = promise;
  // biome-ignore lint/suspicious/noThenProperty: it is the SDK's own, which await calls
  promise.then = inPlaceOf(then, (onAnswer: unknown, onFailure: unknown) =>
    then(
      (page: unknown) => {
        guarded("reading the answer", () => watcher.onAnswer(call, page));
        return typeof onAnswer === "function" ? onAnswer(page) : page;
      },
      (error: unknown) => {
        guarded("reading a failure", () => watcher.onFailure(call, error));
        if (typeof onFailure === "function") return onFailure(error);
        throw error;
      },
    ),
  );
  promise.catch = inPlaceOf(original, (onFailure: unknown) => promise.then(undefined, onFailure));
}
