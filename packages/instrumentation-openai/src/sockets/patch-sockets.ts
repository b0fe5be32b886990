import { guarded } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import type { Method, Unpatch } from "../replace-method.ts";
import { replaceMethod } from "../replace-method.ts";
import type { SdkSocket } from "./socket-session.ts";
import { sessionOfSocket } from "./socket-session.ts";

/**
 * Observes the sessions of a class of openai that speaks over a WebSocket (`OpenAIRealtimeWS`, `ResponsesWS`, `LiveWS` …). A
 * session is known from its connection on, of the realtime classes from the first event on, whoever sends it.
 */
export function patchSockets(observer: Observer, target: unknown): readonly Unpatch[] {
  if (typeof target !== "function") return [];
  const prototype = target.prototype as Partial<SdkSocket> | undefined;
  if (typeof prototype?.send !== "function" || typeof prototype.on !== "function") return [];
  return OBSERVED.flatMap(([name, observed]) => {
    const owner = ownerOf(prototype, name);
    const replaced =
      owner &&
      replaceMethod(owner, name, (original, isActive) => observed(observer, original, isActive));
    return replaced ?? [];
  });
}

const OBSERVED = [
  ["_connectInitial", observedConnection],
  ["_emit", observedEvent],
  ["send", observedSend],
  ["sendResponseCreate", observedSend],
] as const;

function observedConnection(observer: Observer, original: Method, isActive: () => boolean): Method {
  return function _connectInitial(...args) {
    const result = original.apply(this, args);
    if (isActive()) {
      guarded("seeing a socket open", () => sessionOfSocket(observer, this as SdkSocket));
    }
    return result;
  };
}

/** Whoever listens from the first event on hears it, too. */
function observedEvent(observer: Observer, original: Method, isActive: () => boolean): Method {
  return function _emit(...args) {
    if (args[0] === "event" && isActive()) {
      guarded("hearing an event", () => sessionOfSocket(observer, this as SdkSocket));
    }
    return original.apply(this, args);
  };
}

function observedSend(observer: Observer, original: Method, isActive: () => boolean): Method {
  return function send(...args) {
    if (isActive()) {
      guarded("reading an event that is sent", () =>
        sessionOfSocket(observer, this as SdkSocket).sent(args[0]),
      );
    }
    return original.apply(this, args);
  };
}

function ownerOf(start: object, name: string): object | undefined {
  for (let at: object | null = start; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) return at;
  }
  return undefined;
}
