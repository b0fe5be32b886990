import type { Observer } from "../observer.ts";
import type { Method, Unpatch } from "../replace-method.ts";
import { replaceMethod } from "../replace-method.ts";
import { observedCandidates, observedRun } from "./decisions-runner.ts";
import { observedDispatch, observedIterate } from "./responses-runner.ts";
import { observedRunFunctions, observedRunTools } from "./run-tools.ts";

type Observe = (observer: Observer, original: Method, isActive: () => boolean) => Method;

/** One method of a tool loop that is replaced. */
interface LoopMethod {
  readonly owner: object;
  readonly name: string;
  readonly observe: Observe;
}

/**
 * Observes the tool loops of an openai module, class or client (`runTools`, `runFunctions`), or of a runner's class, which stands in a
 * module of its own (`ResponsesToolRunner`, `DecisionsToolRunner`). What a version has not is simply not there.
 *
 * @param sdk the `OpenAI` class, where there is one
 */
export function patchToolRunners(
  observer: Observer,
  target: unknown,
  sdk: unknown,
): readonly Unpatch[] {
  return [...methodsOfRunner(target), ...methodsOfClients(target, sdk)].flatMap(
    ({ owner, name, observe }) =>
      replaceMethod(owner, name, (original, isActive) => observe(observer, original, isActive)) ??
      [],
  );
}

function methodsOfRunner(target: unknown): readonly LoopMethod[] {
  const owner = readPath(target, "prototype");
  if (typeof target !== "function" || !isObject(owner)) return [];
  if (Object.hasOwn(owner, "dispatchTool") && Object.hasOwn(owner, "iterate")) {
    return [
      { owner, name: "dispatchTool", observe: observedDispatch },
      { owner, name: "iterate", observe: observedIterate },
    ];
  }
  if (Object.hasOwn(target, "ownCandidates") && Object.hasOwn(owner, "run")) {
    return [
      { owner: target, name: "ownCandidates", observe: observedCandidates },
      { owner, name: "run", observe: observedRun },
    ];
  }
  return [];
}

function methodsOfClients(target: unknown, sdk: unknown): readonly LoopMethod[] {
  const owners = new Set([
    readPath(sdk, "Chat", "Completions", "prototype"),
    prototypeOf(readPath(target, "chat", "completions")),
    prototypeOf(readPath(target, "beta", "chat", "completions")),
    prototypeOf(readPath(betaOf(sdk), "chat", "completions")),
  ]);
  return [...owners].filter(isObject).flatMap((owner) => [
    { owner, name: "runTools", observe: observedRunTools },
    { owner, name: "runFunctions", observe: observedRunFunctions },
  ]);
}

/** openai 4 shows the class that has `runTools` nowhere but on an instance of its parent. */
function betaOf(sdk: unknown): unknown {
  const Beta = readPath(sdk, "Beta");
  if (typeof Beta !== "function") return undefined;
  return Reflect.construct(Beta, [{}]);
}

function readPath(start: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) =>
      isObject(at) || typeof at === "function"
        ? (at as Readonly<Record<string, unknown>>)[name]
        : undefined,
    start,
  );
}

function prototypeOf(value: unknown): unknown {
  return isObject(value) ? Object.getPrototypeOf(value) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
