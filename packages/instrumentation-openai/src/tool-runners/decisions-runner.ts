import { guarded } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import type { Method } from "../replace-method.ts";
import { executeTool } from "./tool-execution.ts";
import { createToolLoop, workOn } from "./tool-loop.ts";

/** What the SDK makes of a candidate of the app. */
interface OwnedCandidate {
  readonly id?: unknown;
  execute?: unknown;
}

/** `DecisionsToolRunner.run`: its loop is one run. */
export function observedRun(observer: Observer, original: Method, isActive: () => boolean): Method {
  return function run(...args) {
    const work = () => original.apply(this, args) as Promise<unknown>;
    const loop = isActive() ? createToolLoop(observer) : undefined;
    return loop === undefined ? work() : workOn(loop, work, () => ({}));
  };
}

/** `DecisionsToolRunner.ownCandidates`: the SDK's copies of the candidates get a span around what they do. */
export function observedCandidates(
  observer: Observer,
  original: Method,
  isActive: () => boolean,
): Method {
  return function ownCandidates(...args) {
    const owned = original.apply(this, args);
    if (isActive() && owned instanceof Map) {
      guarded("wrapping candidates", () => {
        for (const candidate of owned.values()) observe(observer, candidate);
      });
    }
    return owned;
  };
}

function observe(observer: Observer, candidate: OwnedCandidate): void {
  const { id, execute } = candidate;
  if (typeof id !== "string" || typeof execute !== "function") return;
  candidate.execute = new Proxy(execute as () => unknown, {
    apply: (run) => executeTool(observer, { name: id }, () => run()),
  });
}
