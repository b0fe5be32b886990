import type { Observer } from "./observer.ts";
import { createObserver } from "./observer.ts";
import type { OpenAIInstrumentationOptions } from "./options.ts";
import { patch } from "./patch.ts";
import type { Unpatch } from "./replace-method.ts";

const NO_OPTIONS: OpenAIInstrumentationOptions = {};

const observers = new WeakMap<OpenAIInstrumentationOptions, Observer>();

/**
 * Observes the model calls of openai where no module hook reaches: bundled apps, workers, tests.
 *
 * @param openai The `OpenAI` class, the module, or a client, which stands for its class. Observing the same
 *   one twice is observing it once; the options of the first time count.
 * @param options Several openai that are given the same object, or none, share their open runs: a tool loop may
 *   go from one to the other.
 * @returns Undoes it, and ends the runs that wait for tool results; does nothing when there was nothing to observe.
 */
export function instrumentOpenAI(
  openai: unknown,
  options: OpenAIInstrumentationOptions = NO_OPTIONS,
): Unpatch {
  const observer = observers.get(options) ?? createObserver(options);
  observers.set(options, observer);
  const unpatch = patch(observer, openai);
  return () => {
    if (unpatch === undefined) return;
    observer.runs?.endWaiting();
    unpatch();
  };
}
