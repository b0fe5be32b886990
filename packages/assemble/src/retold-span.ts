import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_THOUGHTFLOW_DOCUMENT_PLACE,
  ATTR_THOUGHTFLOW_DOCUMENT_REVISION,
} from "@thoughtflow/semconv";

/** Whether a span was made from a document, by `recordsFromSession`. */
export function isRetold({ attributes }: SpanRecord): boolean {
  return Object.hasOwn(attributes, ATTR_THOUGHTFLOW_DOCUMENT_PLACE);
}

/** The revision of the document that such a span was made from. */
export function retoldRevision({ attributes }: SpanRecord): number {
  const revision = Object.hasOwn(attributes, ATTR_THOUGHTFLOW_DOCUMENT_REVISION)
    ? attributes[ATTR_THOUGHTFLOW_DOCUMENT_REVISION]
    : undefined;
  return typeof revision === "number" ? revision : 0;
}
