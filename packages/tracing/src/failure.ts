import type { Span } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@thoughtflow/semconv";

/** The conventions' word for an error that has no type. */
const OTHER = "_OTHER";

/** Marks a span as failed: status, `error.type`, and the exception where it is one. */
export function recordFailure(span: Span, error: unknown): void {
  span.setAttribute(ATTR_ERROR_TYPE, errorType(error));
  if (error instanceof Error) {
    span.recordException(error);
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  } else {
    if (typeof error === "string") span.recordException(error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/** Whether an error only says that somebody called the work off. */
export function isCancellation(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === "AbortError" || error.constructor?.name === "APIUserAbortError")
  );
}

/** The class of an error; the name it gives itself where the class says no more than `Error`. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return OTHER;
  const name = error.constructor?.name;
  return (name === "Error" || name === "DOMException" ? error.name : name) || OTHER;
}
