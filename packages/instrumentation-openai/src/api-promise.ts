import { ATTR_HTTP_RESPONSE_STATUS_CODE, ATTR_X_REQUEST_ID } from "@thoughtflow/semconv";
import { endEarly, endWithAnswer, endWithError } from "./call-end.ts";
import { guarded } from "./degradation.ts";
import type { ModelCall } from "./model-call.ts";
import { isSdkStream, tapStream } from "./stream-tap.ts";
import { forget, watch } from "./unread.ts";

interface ResponseProps {
  readonly response?: {
    readonly status?: unknown;
    readonly headers?: { get?(name: string): string | null };
  };
}

type Transform = (value: unknown, ...rest: unknown[]) => unknown;

/** The SDK's promise: it parses the body only when somebody asks for it. */
export interface ApiPromise {
  responsePromise: Promise<ResponseProps>;
  parseResponse: (...args: unknown[]) => Promise<unknown>;
  asResponse: () => Promise<unknown>;
  _thenUnwrap: (transform: Transform, ...rest: unknown[]) => ApiPromise;
}

export function isApiPromise(value: unknown): value is ApiPromise {
  if (typeof value !== "object" || value === null) return false;
  const promise = value as Partial<Record<keyof ApiPromise, unknown>>;
  return (
    promise.responsePromise instanceof Promise &&
    typeof promise.parseResponse === "function" &&
    typeof promise.asResponse === "function" &&
    typeof promise._thenUnwrap === "function"
  );
}

/**
 * Observes what the application does with the SDK's promise, and nothing that it does not: the body is parsed
 * when the application wants it parsed, and a rejection that it ignores stays an unhandled one, once.
 */
export function observePromise(call: ModelCall, promise: ApiPromise): void {
  promise.responsePromise = promise.responsePromise.then(
    (props) => {
      guarded("reading the response's head", () => readHead(call, props));
      return props;
    },
    (error: unknown) => {
      guarded("reading a failure", () => endWithError(call, error));
      throw error;
    },
  );
  watch(promise, call);
  call.release = () => forget(call);
  hook(call, promise, promise);
}

/** `root` is held by every promise made from it, so that the call is not taken for abandoned. */
function hook(call: ModelCall, promise: ApiPromise, root: ApiPromise): void {
  const { parseResponse, asResponse, _thenUnwrap } = promise;

  promise.parseResponse = (...args) => {
    call.parsing = true;
    return parseResponse.apply(promise, args).then(
      (value) => {
        guarded("reading the answer", () => observeAnswer(call, value));
        return value;
      },
      (error: unknown) => {
        guarded("reading a failure", () => endWithError(call, error));
        throw error;
      },
    );
  };

  replace(promise, "asResponse", () =>
    asResponse.call(promise).then((response) => {
      guarded("reading a raw response", () => {
        if (!call.parsing) endEarly(call, "raw_response");
      });
      return response;
    }),
  );

  replace(promise, "_thenUnwrap", (transform, ...rest) => {
    const observed: Transform = (value, ...more) => {
      guarded("reading the answer", () => observeAnswer(call, value));
      return transform(value, ...more);
    };
    const derived = _thenUnwrap.call(promise, observed, ...rest);
    guarded("following a derived promise", () => {
      derived.responsePromise = root.responsePromise;
      hook(call, derived, root);
    });
    return derived;
  });
}

/** Where the SDK has a method on the prototype, the replacement must not show among the promise's own keys. */
function replace<Name extends "asResponse" | "_thenUnwrap">(
  promise: ApiPromise,
  name: Name,
  value: ApiPromise[Name],
): void {
  const enumerable = Object.getOwnPropertyDescriptor(promise, name)?.enumerable ?? false;
  Object.defineProperty(promise, name, { value, enumerable, writable: true, configurable: true });
}

function observeAnswer(call: ModelCall, value: unknown): void {
  if (call.observed || call.ended) return;
  call.observed = true;
  if (!isSdkStream(value)) {
    endWithAnswer(call, value);
    return;
  }
  forget(call);
  tapStream(call, value);
}

function readHead(call: ModelCall, { response }: ResponseProps): void {
  const status = response?.status;
  if (typeof status === "number") call.found[ATTR_HTTP_RESPONSE_STATUS_CODE] = status;
  const requestId = response?.headers?.get?.("x-request-id");
  if (typeof requestId === "string") call.found[ATTR_X_REQUEST_ID] = [requestId];
}
