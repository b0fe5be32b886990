import { guarded } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import type { Method, Unpatch } from "../replace-method.ts";
import { replaceMethod } from "../replace-method.ts";
import type { SdkSocket } from "./socket-session.ts";
import { sessionOfSocket } from "./socket-session.ts";

/**
 * Observes the sessions of a class of openai that speaks over a WebSocket (`OpenAIRealtimeWS`, `ResponsesWS` …). A
 * session is known from the first event on that the application sends.
 */
export function patchSockets(observer: Observer, target: unknown): readonly Unpatch[] {
  if (typeof target !== "function") return [];
  const prototype = target.prototype as Partial<SdkSocket> | undefined;
  if (typeof prototype?.send !== "function" || typeof prototype.on !== "function") return [];
  return ["send", "sendResponseCreate"].flatMap((name) => {
    const owner = ownerOf(prototype, name);
    const replaced =
      owner &&
      replaceMethod(owner, name, (original, isActive) =>
        observedSend(observer, original, isActive),
      );
    return replaced ?? [];
  });
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
