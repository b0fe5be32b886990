import type { Context, Span } from "@opentelemetry/api";
import { createContextKey, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, trace } from "@opentelemetry/api";

/** The key under which every version of the API keeps the active span. */
const SPAN = createContextKey("OpenTelemetry Context Key SPAN");

const probe = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const isItsKey = trace.setSpan(ROOT_CONTEXT, probe).getValue(SPAN) === probe;

/**
 * A context with a span as the active one: `trace.setSpan`, which copies all that the context has, at a third of its cost.
 */
export function insideSpan(around: Context, span: Span): Context {
  return isItsKey ? new InsideSpan(around, span) : trace.setSpan(around, span);
}

class InsideSpan implements Context {
  readonly #around: Context;
  readonly #span: Span;

  constructor(around: Context, span: Span) {
    this.#around = around;
    this.#span = span;
  }

  getValue(key: symbol): unknown {
    return key === SPAN ? this.#span : this.#around.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return this.#copy().setValue(key, value);
  }

  deleteValue(key: symbol): Context {
    return this.#copy().deleteValue(key);
  }

  #copy(): Context {
    return trace.setSpan(this.#around, this.#span);
  }
}
