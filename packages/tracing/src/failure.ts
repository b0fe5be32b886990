import type { Span } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@thoughtflow/semconv";
import { type ErrorText, type ToldError, tellError } from "./error-text.ts";

/** The conventions' word for an error that has no type. */
export const OTHER_ERROR = "_OTHER";

/** Marks a span as failed: status, `error.type`, and the exception where it is one. */
export function recordFailure(span: Span, error: unknown, isShown: boolean): void {
  const type = errorType(error);
  span.setAttribute(ATTR_ERROR_TYPE, type);
  if (error instanceof Error) {
    const options = { isShown, asException: true, causes: causesOf(error) };
    tellError(span, type, textOf(error), options);
  } else if (typeof error === "string") {
    tellError(span, type, { message: error }, { isShown, asException: true });
  } else {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/** Says what called a span's work off: an exception, with what it was caused by, of a span that did not fail. */
export function recordCancellation(span: Span, error: Error, isShown: boolean): void {
  const options = { isShown, asException: true, isFailure: false, causes: causesOf(error) };
  tellError(span, errorType(error), textOf(error), options);
}

function textOf({ message, stack }: Error): ErrorText {
  return { message: String(message), ...(typeof stack === "string" && { stack }) };
}

/** Deeper chains are circles, or nobody's to read. */
const MOST_CAUSES = 8;

function causesOf(error: Error): readonly ToldError[] {
  const causes: ToldError[] = [];
  for (
    let cause = error.cause;
    cause instanceof Error && causes.length < MOST_CAUSES;
    cause = cause.cause
  )
    causes.push({ type: errorType(cause), text: textOf(cause) });
  return causes;
}

/** Whether an error only says that somebody called the work off. */
export function isCancellation(error: unknown): error is Error {
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
