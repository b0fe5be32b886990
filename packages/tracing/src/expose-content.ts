import type { Span } from "@opentelemetry/api";
import { ATTR_GEN_AI_INPUT_MESSAGES } from "@thoughtflow/semconv";
import type { SpanContent } from "./content.ts";
import { contentOf } from "./content.ts";
import { contentAttribute, contentAttributeNames } from "./content-attributes.ts";
import type { ContentCapture } from "./content-capture.ts";
import { capturedText, capturesAll, isCaptured } from "./content-capture.ts";
import { joinMessages } from "./joined-messages.ts";
import { inputMessagesOf } from "./materialise.ts";
import { processState } from "./process-state.ts";

const capture = processState<{ onSpans: ContentCapture }>("span-content.v1", () => ({
  onSpans: false,
}));

/** Which content spans show to exporters. For the whole process; off until somebody says otherwise. */
export function setSpanContentCapture(on: ContentCapture): void {
  capture.onSpans = on;
}

/** What `setSpanContentCapture` was last told. */
export function spanContentCapture(): ContentCapture {
  return capture.onSpans;
}

/**
 * Lets a span's content be read from its `attributes` as JSON text, for exporters: the text is made when one
 * reads it and not before. A span that shows no attributes gets the text at once. To be called when all content
 * is there, right before the span ends; does nothing for a span without content.
 */
export function exposeContent(span: Span, shown: ContentCapture = true): void {
  const content = contentOf(span);
  if (content === undefined || shown === false) return;
  const { attributes } = span as { readonly attributes?: unknown };
  for (const name of contentAttributeNames(content)) {
    if (!isCaptured(name, shown)) continue;
    if (typeof attributes !== "object" || attributes === null) {
      span.setAttribute(name, wholeText(content, name, shown));
    } else {
      Object.defineProperty(attributes, name, {
        configurable: true,
        enumerable: true,
        get: () => wholeText(content, name, shown),
      });
    }
  }
}

function wholeText(content: SpanContent, name: string, shown: ContentCapture): string {
  if ("dialect" in content) {
    // A note of what was let go holds no words to hide.
    if (content.letGo !== undefined) return String(contentAttribute(content, name));
    if (name === ATTR_GEN_AI_INPUT_MESSAGES && capturesAll(shown)) {
      return joinMessages(inputMessagesOf(content));
    }
  }
  const text = capturedText(name, contentAttribute(content, name), shown);
  return typeof text === "string" ? text : `[${text.join(",")}]`;
}
