import type { Observer } from "./observer.ts";
import { createObserver } from "./observer.ts";
import type { OpenAIInstrumentationOptions } from "./options.ts";
import type { Unpatch } from "./patch.ts";
import { patch } from "./patch.ts";

let shared: Observer | undefined;

/**
 * Observes the model calls of openai where no module hook reaches: bundled apps, workers, tests.
 *
 * @param openai The `OpenAI` class, the module, or a client, which stands for its class. Observing the same
 *   one twice is observing it once; the options of the first time count.
 * @param options Without them all calls share one set of open runs and conversations.
 * @returns Undoes it; does nothing when there was nothing to observe.
 */
export function instrumentOpenAI(openai: unknown, options?: OpenAIInstrumentationOptions): Unpatch {
  const observer = options === undefined ? sharedObserver() : createObserver(options);
  return patch(observer, openai) ?? (() => {});
}

function sharedObserver(): Observer {
  shared ??= createObserver({});
  return shared;
}
