import { context } from "@opentelemetry/api";
import { isApiPromise } from "./api-promise.ts";
import { endEarly, endWithError } from "./call-end.ts";
import { startCall } from "./call-start.ts";
import { followCallback, insideCallback } from "./callback-tracers.ts";
import { guarded, warnUnobserved } from "./degradation.ts";
import { endpointOf } from "./endpoint-of.ts";
import type { Endpoint, ObservedEndpoint } from "./endpoints.ts";
import { followFetch } from "./fetched-answer.ts";
import type { ModelCall } from "./model-call.ts";
import { followCall } from "./model-call-watcher.ts";
import type { Observer } from "./observer.ts";
import type { Method, Unpatch } from "./replace-method.ts";
import { replaceMethod } from "./replace-method.ts";
import { countRequest } from "./request-counts.ts";
import { insideCall, isInsideCall, observeAttempt, rememberFailure, tellRetry } from "./retries.ts";
import { checkVersion } from "./sdk-version.ts";
import { patchSockets } from "./sockets/patch-sockets.ts";
import type { SdkShape } from "./surfaces.ts";
import { shapeOf } from "./surfaces.ts";
import { patchToolRunners } from "./tool-runners/patch-tool-runners.ts";
import { isUnknown } from "./unknown-endpoint.ts";

/**
 * Observes the model calls of an openai module, class or client, and the tools that its loops run. Twice is once.
 * What is not known, or can't be replaced, stays untouched, with one warning.
 *
 * @returns Undoes it; `undefined` when nothing could be observed.
 */
export function patch(observer: Observer, target: unknown): Unpatch | undefined {
  const undo: Unpatch[] = [];
  const replace = (owner: object, name: string, wrap: Parameters<typeof replaceMethod>[2]) => {
    guarded("patching openai", () => {
      const replaced = replaceMethod(owner, name, wrap);
      if (replaced !== undefined) undo.push(replaced);
    });
  };
  let shape: SdkShape = { sdk: undefined, surfaces: [], client: undefined };
  guarded("looking at openai", () => {
    shape = shapeOf(target);
  });
  const { sdk, surfaces, client } = shape;
  let wanted = 0;
  for (const { endpoint, prototype, method } of surfaces) {
    if (!isObserved(endpoint)) continue;
    wanted += 1;
    replace(prototype, method, (original, isActive) =>
      observedCall(observer, endpoint, original, isActive),
    );
  }
  if (undo.length < wanted) {
    warnUnobserved(
      "THOUGHTFLOW_OPENAI_FROZEN",
      `ThoughtFlow could replace ${undo.length} of the ${wanted} methods of openai that it knows (are the others frozen?): those calls are not observed.`,
    );
  }
  guarded("patching openai's tool runners", () => {
    undo.push(...patchToolRunners(observer, target, sdk));
  });
  guarded("patching openai's sockets", () => {
    undo.push(...patchSockets(observer, target));
  });
  if (undo.length === 0) {
    warnUnobserved(
      "THOUGHTFLOW_OPENAI_SHAPE",
      "ThoughtFlow found no model call, no tool loop and no socket that it knows in the openai object it was given: it is not observed.",
    );
    return undefined;
  }
  if (client !== undefined) {
    replace(client, "makeRequest", observedAttempt);
    replace(client, "retryRequest", observedRetry);
    replace(client, "shouldRetry", observedFailure);
    replace(client, "methodRequest", (original, isActive) =>
      observedRequest(observer, original, isActive),
    );
    replace(client, "getAPIList", countedList);
  }
  return () => {
    for (const one of undo) one();
  };
}

function observedAttempt(original: Method): Method {
  return function makeRequest(...args) {
    guarded("counting attempts", () => observeAttempt(args[0]));
    return original.apply(this, args);
  };
}

function observedRetry(original: Method): Method {
  return function retryRequest(...args) {
    guarded("telling of a retry", () => tellRetry(args));
    return original.apply(this, args);
  };
}

function observedFailure(original: Method): Method {
  return function shouldRetry(...args) {
    guarded("remembering a failed attempt", () => rememberFailure(args[0]));
    return original.apply(this, args);
  };
}

/** A method of the table: its parameters are known before the request is made of them. */
function observedCall(
  observer: Observer,
  endpoint: ObservedEndpoint,
  original: Method,
  isActive: () => boolean,
): Method {
  return function create(...args) {
    if (!isActive()) return original.apply(this, args);
    const client = (this as { readonly _client?: Client } | undefined)?._client;
    let [request] = args;
    guarded("reading the parameters", () => {
      if (endpoint.request !== undefined) request = endpoint.request(args);
    });
    return observe(observer, endpoint, client, request, () => original.apply(this, args));
  };
}

/** Every other request: `client.post(path, { body })`, and the endpoints that give no step. */
function observedRequest(observer: Observer, original: Method, isActive: () => boolean): Method {
  return function methodRequest(...args) {
    if (!isActive() || isInsideCall()) return original.apply(this, args);
    let endpoint: Endpoint | undefined;
    guarded("finding the endpoint", () => {
      endpoint = endpointOf(String(args[0]), String(args[1]));
      if (!isObserved(endpoint) || isUnknown(endpoint)) countRequest(endpoint);
    });
    if (endpoint === undefined || !isObserved(endpoint)) return original.apply(this, args);
    const { body } = (args[2] ?? {}) as { readonly body?: unknown };
    return observe(observer, endpoint, this as Client, body, () => original.apply(this, args));
  };
}

function countedList(original: Method, isActive: () => boolean): Method {
  return function getAPIList(...args) {
    if (isActive() && !isInsideCall()) {
      guarded("finding the endpoint", () => countRequest(endpointOf("get", String(args[0]))));
    }
    return original.apply(this, args);
  };
}

interface Client {
  readonly baseURL?: unknown;
}

function isObserved(endpoint: Endpoint): endpoint is ObservedEndpoint {
  return endpoint.dialect !== undefined;
}

function observe(
  observer: Observer,
  endpoint: ObservedEndpoint,
  client: Client | undefined,
  request: unknown,
  original: () => unknown,
): unknown {
  guarded("reading openai's version", () => checkVersion(client));
  if (endpoint.step === "completes") {
    const promise = insideCall(undefined, original);
    guarded("following the promise", () => {
      if (isApiPromise(promise)) followFetch(observer, endpoint, client?.baseURL, request, promise);
    });
    return promise;
  }
  let started: ReturnType<typeof startCall> | undefined;
  guarded("starting the span", () => {
    const inside = insideCallback(endpoint, client, request);
    const start = () => startCall(observer, endpoint, client?.baseURL, request);
    started = inside === undefined ? start() : context.with(inside, start);
  });
  if (started === undefined) return original();
  if (!("content" in started)) {
    return context.with(started.context, () => insideCall(undefined, original));
  }
  const call = started;
  guarded("following LangChain", () => followCallback(call, endpoint, client));
  const promise = runOriginal(call, original);
  guarded("following the promise", () => {
    if (isApiPromise(promise)) {
      followCall(call, promise);
      return;
    }
    endEarly(call, "abandoned");
    warnUnobserved(
      "THOUGHTFLOW_OPENAI_PROMISE",
      "ThoughtFlow does not know the promise that this version of openai returns: its answers are not observed.",
    );
  });
  return promise;
}

function runOriginal(call: ModelCall, original: () => unknown): unknown {
  try {
    return context.with(call.context, () => insideCall(call, original));
  } catch (error) {
    guarded("reading a failure", () => endWithError(call, error));
    throw error;
  }
}
