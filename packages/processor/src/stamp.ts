import type { Context } from "@opentelemetry/api";
import type { ReadableSpan, Span } from "@opentelemetry/sdk-trace-node";
import {
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SEQ,
  SPAN_SESSION,
} from "@thoughtflow/semconv";
import { flowAttributesOf, sessionOf } from "@thoughtflow/tracing";
import type { LiveTrace } from "./live-traces.ts";

/** A per-process counter: the order in which spans began, whatever the clock says. */
let seq = 0;

/**
 * Writes on a span that starts what its context and its trace know: session, run, order. What the span says
 * itself stays. Spans of a trace that is no flow (yet) are left alone, but for a root's own context.
 *
 * @returns the id of the run that the span belongs to
 */
export function stampOnStart(
  span: Span,
  parentContext: Context,
  trace: LiveTrace,
  defaultSessionId: string | undefined,
): string {
  const { spanId } = span.spanContext();
  const parentId = localParentOf(span);
  const context = flowAttributesOf(parentContext);
  const own = textOf(span, ATTR_THOUGHTFLOW_RUN_ID);
  const fromContext = context[ATTR_THOUGHTFLOW_RUN_ID];
  const runId =
    own ??
    (typeof fromContext === "string" ? fromContext : undefined) ??
    (parentId === undefined ? undefined : trace.open.get(parentId)) ??
    // A parent that nobody told us of stands for its run's root, as it does in the document.
    `r_${parentId ?? spanId}`;
  trace.isFlow ||= isFlowSpan(span) || sessionOf(parentContext) !== undefined;
  trace.sessionId ??= textOf(span, ATTR_SESSION_ID) ?? sessionOf(parentContext)?.sessionId;
  if (!trace.isFlow) return runId;
  span.setAttribute(ATTR_THOUGHTFLOW_SEQ, ++seq);
  if (own === undefined) span.setAttribute(ATTR_THOUGHTFLOW_RUN_ID, runId);
  if (textOf(span, ATTR_SESSION_ID) !== undefined) return runId;
  const sessionId =
    sessionOf(parentContext)?.sessionId ?? trace.sessionId ?? defaultFor(span, defaultSessionId);
  if (sessionId !== undefined) span.setAttribute(ATTR_SESSION_ID, sessionId);
  return runId;
}

/** The parent in this process, if any. */
export function localParentOf(span: ReadableSpan): string | undefined {
  const parent = span.parentSpanContext;
  return parent === undefined || parent.isRemote === true ? undefined : parent.spanId;
}

/** Whether a span speaks of an agent's work: a GenAI attribute, or one of ours. */
export function isFlowSpan(span: ReadableSpan): boolean {
  if (span.name === SPAN_SESSION) return true;
  for (const name in span.attributes) {
    if (name.startsWith("gen_ai.") || name.startsWith("thoughtflow.")) return true;
  }
  return false;
}

/** A root that was derived waits for the inference of its session. */
function defaultFor(span: ReadableSpan, sessionId: string | undefined): string | undefined {
  return textOf(span, ATTR_THOUGHTFLOW_ORIGIN) === "derived" ? undefined : sessionId;
}

export function textOf(span: ReadableSpan, name: string): string | undefined {
  const value = span.attributes[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
