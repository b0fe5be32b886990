import type { Context } from "@opentelemetry/api";
import type { ReadableSpan, Span } from "@opentelemetry/sdk-trace-node";
import { isAgentAttribute } from "@thoughtflow/dialects/spans";
import {
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SEQ,
  SPAN_SESSION,
} from "@thoughtflow/semconv";
import { runOf, sessionOf } from "@thoughtflow/tracing/internal";
import type { LiveTrace } from "./live-traces.ts";
import type { SpanPlace } from "./span-place.ts";

/** A per-process counter: the order in which spans began, whatever the clock says. */
let seq = 0;

/**
 * Writes on a span that starts what its context and its trace know: session, run, order. What the span says
 * itself stays. Spans of a trace that is no flow (yet) are left alone, but for a root's own context.
 *
 */
export function stampOnStart(
  span: Span,
  parentContext: Context,
  trace: LiveTrace,
  defaultSessionId: string | undefined,
): SpanPlace {
  const { spanId } = span.spanContext();
  const parentId = localParentOf(span);
  const own = textOf(span, ATTR_THOUGHTFLOW_RUN_ID);
  const parent = parentId === undefined ? undefined : trace.open.get(parentId);
  const runId =
    own ??
    runOf(parentContext)?.runId ??
    parent?.runId ??
    // A parent that nobody told us of stands for its run's root, as it does in the document.
    `r_${parentId ?? spanId}`;
  const rootSpanId = parent?.rootSpanId ?? parentId ?? spanId;
  const place = { runId, isRoot: parentId === undefined, rootSpanId };
  const declared = sessionOf(parentContext)?.sessionId;
  const ownSession = textOf(span, ATTR_SESSION_ID);
  trace.isFlow ||= declared !== undefined || isFlowSpan(span);
  trace.sessionId ??= ownSession ?? declared;
  if (!trace.isFlow) return place;
  span.setAttribute(ATTR_THOUGHTFLOW_SEQ, ++seq);
  if (own === undefined) span.setAttribute(ATTR_THOUGHTFLOW_RUN_ID, runId);
  if (ownSession !== undefined) return place;
  const session = declared ?? trace.sessionId ?? defaultFor(span, defaultSessionId);
  if (session !== undefined) span.setAttribute(ATTR_SESSION_ID, session);
  return place;
}

/** The parent in this process, if any. */
function localParentOf(span: ReadableSpan): string | undefined {
  const parent = span.parentSpanContext;
  return parent === undefined || parent.isRemote === true ? undefined : parent.spanId;
}

/** Whether a span speaks of an agent's work: an attribute of ours, of the GenAI conventions, of another dialect. */
export function isFlowSpan(span: ReadableSpan): boolean {
  if (span.name === SPAN_SESSION) return true;
  for (const name in span.attributes) {
    if (name.startsWith("thoughtflow.") || isAgentAttribute(name)) return true;
  }
  return false;
}

/** A root that was derived waits for the inference of its session. */
function defaultFor(span: ReadableSpan, sessionId: string | undefined): string | undefined {
  return textOf(span, ATTR_THOUGHTFLOW_ORIGIN) === "derived" ? undefined : sessionId;
}

function textOf(span: ReadableSpan, name: string): string | undefined {
  const value = span.attributes[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
