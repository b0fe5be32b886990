import type { Span } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
} from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing";
import { contentAttributesOf } from "@thoughtflow/tracing";

/**
 * Makes the content attributes of a span that are read only when somebody reads them, which an exporter does
 * once, off the caller's path. A span of an unknown SDK that shows no attributes has none.
 */
export function defineContentGetters(span: Span, content: ModelCallContent): void {
  const { attributes } = span as { readonly attributes?: object };
  if (attributes === undefined) return;
  for (const name of namesOf(content)) {
    Object.defineProperty(attributes, name, {
      enumerable: true,
      configurable: true,
      get: () => textOf(contentAttributesOf(content)[name]),
    });
  }
}

function namesOf({ dialect, request, response }: ModelCallContent): readonly string[] {
  const names: string[] = [];
  if (dialect.systemInstructions(request).length > 0) names.push(ATTR_GEN_AI_SYSTEM_INSTRUCTIONS);
  if (dialect.inputItems(request).length > 0) names.push(ATTR_GEN_AI_INPUT_MESSAGES);
  if (response !== undefined) names.push(ATTR_GEN_AI_OUTPUT_MESSAGES);
  if (dialect.toolDefinitions(request).length > 0) names.push(ATTR_GEN_AI_TOOL_DEFINITIONS);
  return names;
}

/** Pieces are the elements of one JSON list. */
function textOf(text: string | readonly string[] | undefined): string | undefined {
  return text === undefined || typeof text === "string" ? text : `[${text.join(",")}]`;
}
