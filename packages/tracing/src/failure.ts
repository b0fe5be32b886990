import type { Span } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@thoughtflow/semconv";
import { tellError } from "./error-text.ts";

/** The conventions' word for an error that has no type. */
export const OTHER_ERROR = "_OTHER";

/** Marks a span as failed: status, `error.type`, and the exception where it is one. */
export function recordFailure(span: Span, error: unknown, isShown: boolean): void {
  const type = errorType(error);
  span.setAttribute(ATTR_ERROR_TYPE, type);
  if (error instanceof Error) {
    const { message, stack } = error;
    const text = { message: String(message), ...(typeof stack === "string" && { stack }) };
    tellError(span, type, text, { isShown, asException: true });
  } else if (typeof error === "string") {
    tellError(span, type, { message: error }, { isShown, asException: true });
  } else {
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
  if (!(error instanceof Error)) return OTHER_ERROR;
  const name = error.constructor?.name;
  return (name === "Error" || name === "DOMException" ? error.name : name) || OTHER_ERROR;
}
