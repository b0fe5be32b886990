import { contentOf } from "./content.ts";
import { contentAttribute, contentAttributeNames } from "./content-attributes.ts";
import { processState } from "./process-state.ts";

const capture = processState("span-content.v1", () => ({ onSpans: false }));

/** Whether spans show their content to exporters. For the whole process; off until somebody says otherwise. */
export function setSpanContentCapture(on: boolean): void {
  capture.onSpans = on;
}

/** What `setSpanContentCapture` was last told. */
export function spanContentCapture(): boolean {
  return capture.onSpans;
}

/**
 * Lets a span's content be read from its `attributes` as JSON text, for exporters: the text is made when one
 * reads it and not before. To be called when all content is there, right before the span ends; does nothing for
 * spans without content or without attributes to read.
 */
export function exposeContent(span: object): void {
  const content = contentOf(span);
  const { attributes } = span as { readonly attributes?: unknown };
  if (content === undefined || typeof attributes !== "object" || attributes === null) return;
  for (const name of contentAttributeNames(content)) {
    Object.defineProperty(attributes, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const text = contentAttribute(content, name);
        return typeof text === "string" ? text : `[${text.join(",")}]`;
      },
    });
  }
}
