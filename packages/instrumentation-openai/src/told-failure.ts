import type { Span } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE, ATTR_OPENAI_ERROR_PARAM } from "@thoughtflow/semconv";
import { tellError } from "@thoughtflow/tracing/internal";
import type { ErrorDescription } from "./error-outcome.ts";

/** Marks the span of a call, or of its run, as failed; what the provider wrote is there only where content is. */
export function tellFailure(
  span: Span,
  { attributes, message }: ErrorDescription,
  isShown: boolean,
): void {
  span.setAttributes(attributes);
  const param = attributes[ATTR_OPENAI_ERROR_PARAM];
  const type = [attributes[ATTR_ERROR_TYPE], param]
    .filter((part) => part !== undefined)
    .join(" at ");
  tellError(span, type, { message }, { isShown, asException: false });
}
