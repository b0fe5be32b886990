import type { Link, Span } from "@opentelemetry/api";
import { TraceFlags } from "@opentelemetry/api";
import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  ATTR_THOUGHTFLOW_EDGE_ORIGIN,
  ATTR_THOUGHTFLOW_LINK_TYPE,
  isToolCallResponsePart,
} from "@thoughtflow/semconv";
import type { SessionMatch } from "@thoughtflow/workflow";

/**
 * Links a call to the one that it goes on from, so that a backend shows what the file says in more detail. Not on a
 * root span: Jaeger takes a linked one for a child.
 */
export function linkToContinued(
  span: Span,
  { continues, known }: SessionMatch,
  messages: readonly GenAiMessage[],
  isNamed: boolean,
): void {
  const isAskedAgain = known > 0 && known === messages.length;
  if (continues === undefined || isAskedAgain || isRoot(span)) return;
  const isToldByIds =
    isNamed || messages.slice(known).some(({ parts }) => parts.some(isToolCallResponsePart));
  const link: Link = {
    context: { ...continues, traceFlags: TraceFlags.SAMPLED },
    attributes: {
      [ATTR_THOUGHTFLOW_LINK_TYPE]: "continues",
      [ATTR_THOUGHTFLOW_EDGE_ORIGIN]: isToldByIds ? "observed" : "inferred",
      from: "output",
      to: "input",
    },
  };
  span.addLink(link);
}

/** Whether a span has no parent. */
export function isRoot(span: Span): boolean {
  return (span as { readonly parentSpanContext?: unknown }).parentSpanContext === undefined;
}
