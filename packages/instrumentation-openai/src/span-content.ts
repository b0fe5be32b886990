import type { Span } from "@opentelemetry/api";
import { structureOf } from "@thoughtflow/dialects";
import type { GenAiMessage, MessageStructure } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_MESSAGES,
} from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing";
import { contentAttributesOf, inputMessagesOf } from "@thoughtflow/tracing";
import type { SessionMatch } from "@thoughtflow/workflow";

/** The structure of a call's messages, with those of the call that it continues counted only. */
export function defineStructure(
  span: Span,
  content: ModelCallContent,
  { continues, known }: SessionMatch,
  output: readonly GenAiMessage[],
): void {
  defineText(span, ATTR_THOUGHTFLOW_MESSAGES, () => {
    const structure: MessageStructure = {
      ...(continues !== undefined && { continues, known }),
      input: inputMessagesOf(content)
        .slice(known)
        .map(({ message }) => structureOf(message)),
      output: output.map(structureOf),
    };
    return JSON.stringify(structure);
  });
}

/** The content attributes that the conventions name, those that have something to show. */
export function defineContent(span: Span, content: ModelCallContent): void {
  const { dialect, request, response } = content;
  const names = [
    dialect.systemInstructions(request).length > 0 && ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
    dialect.inputItems(request).length > 0 && ATTR_GEN_AI_INPUT_MESSAGES,
    response !== undefined && ATTR_GEN_AI_OUTPUT_MESSAGES,
    dialect.toolDefinitions(request).length > 0 && ATTR_GEN_AI_TOOL_DEFINITIONS,
  ];
  for (const name of names) {
    if (name !== false) defineText(span, name, () => textOf(contentAttributesOf(content)[name]));
  }
}

/**
 * An attribute whose text is made when somebody reads it, which exporters do once, off the caller's path. A span
 * of an SDK that shows no attributes gets the text at once.
 */
function defineText(span: Span, name: string, make: () => string): void {
  const { attributes } = span as { readonly attributes?: object };
  if (attributes === undefined) {
    span.setAttribute(name, make());
    return;
  }
  let text: string | undefined;
  Object.defineProperty(attributes, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      text ??= make();
      return text;
    },
  });
}

/** Pieces are the elements of one JSON list. */
function textOf(text: string | readonly string[] | undefined): string {
  return typeof text === "string" ? text : `[${(text ?? []).join(",")}]`;
}
