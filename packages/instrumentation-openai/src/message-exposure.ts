import type { Span } from "@opentelemetry/api";
import { structureOf } from "@thoughtflow/dialects";
import type { GenAiMessage, MessageStructure } from "@thoughtflow/semconv";
import { ATTR_THOUGHTFLOW_MESSAGES } from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing";
import { inputMessagesOf } from "@thoughtflow/tracing";
import type { SessionMatch } from "@thoughtflow/workflow";

/**
 * Lets the structure of a call's messages be read from its span; those of the call that it continues are only
 * counted. The text is made when somebody reads it, off the caller's path; at once on a span that shows no
 * attributes.
 */
export function exposeStructure(
  span: Span,
  content: ModelCallContent,
  { continues, known }: SessionMatch,
  output: readonly GenAiMessage[],
): void {
  const make = (): string => {
    const structure: MessageStructure = {
      ...(continues !== undefined && { continues: continues.spanId, known }),
      input: inputMessagesOf(content)
        .slice(known)
        .map(({ message }) => structureOf(message)),
      output: output.map(structureOf),
    };
    return JSON.stringify(structure);
  };
  const { attributes } = span as { readonly attributes?: unknown };
  if (typeof attributes !== "object" || attributes === null) {
    span.setAttribute(ATTR_THOUGHTFLOW_MESSAGES, make());
    return;
  }
  let text: string | undefined;
  Object.defineProperty(attributes, ATTR_THOUGHTFLOW_MESSAGES, {
    configurable: true,
    enumerable: true,
    get: () => {
      text ??= make();
      return text;
    },
  });
}
