import type { Context } from "@opentelemetry/api";
import { ROOT_CONTEXT } from "@opentelemetry/api";

/**
 * The same context, from which others are derived at a fraction of the cost. Of the API's own contexts each has functions of
 * its own; the engine then keeps what they hold, spans with all that hangs on them, until its next full collection.
 */
export function lightContext(around: Context): Context {
  // One of another kind, ours of another copy of this package too, knows how to derive from itself.
  return around.constructor === ROOT_CONTEXT.constructor
    ? new LightContext(around, NOTHING)
    : around;
}

type Values = ReadonlyMap<symbol, unknown>;

const NOTHING: Values = new Map();

/** What was set since, over the context that was there: however many are derived one from another, none holds the one before. */
class LightContext implements Context {
  readonly #around: Context;
  readonly #values: Values;

  constructor(around: Context, values: Values) {
    this.#around = around;
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.has(key) ? this.#values.get(key) : this.#around.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new LightContext(this.#around, new Map(this.#values).set(key, value));
  }

  deleteValue(key: symbol): Context {
    return this.setValue(key, undefined);
  }
}
