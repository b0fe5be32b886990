import type { Link, Span, SpanContext } from "@opentelemetry/api";
import { TraceFlags } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  isToolCallPart,
  isToolCallResponsePart,
  OPERATION_FETCH_RESPONSE,
} from "@thoughtflow/semconv";
import type { StepReference } from "@thoughtflow/tracing";
import {
  createDependencies,
  linkOf,
  noteToolRequests,
  outputsOfCalls,
} from "@thoughtflow/tracing/internal";
import type { ContinuedCall, SessionMatch, Spawn } from "@thoughtflow/workflow";
import { tellAttributes, tellLinks } from "./late-telling.ts";
import type { ModelCall } from "./model-call.ts";

/** Calls that failed, by span id, and how many are remembered. */
const failed = new Set<string>();
const REMEMBERED_FAILURES = 1_000;

/** Below, several conversations stand at the same words: which of them failed is a guess. */
const LEAST_SURE = 0.9;

/** Remembers of a call that ends what later steps rest on: the tools that it asked for, and that it failed. */
export function noteForLinks(
  call: ModelCall,
  output: readonly GenAiMessage[],
  isFailure: boolean,
): void {
  const { span, session, run } = call;
  if (isFailure) {
    failed.add(span.spanContext().spanId);
    const [oldest] = failed;
    if (failed.size > REMEMBERED_FAILURES && oldest !== undefined) failed.delete(oldest);
  }
  const tools = output.flatMap(({ parts }) => parts.filter(isToolCallPart));
  if (tools.length === 0) return;
  const fetched = isFetch(call.dialect) ? session?.continues : undefined;
  const spanContext = fetched === undefined ? span.spanContext() : contextOf(fetched);
  noteToolRequests(
    { id: `s_${spanContext.spanId}`, sessionId: session?.sessionId, spanContext },
    tools,
    run?.context,
  );
}

/**
 * Says on a call what it rests on: the outputs that it is given, the response that it names, the failed call that it
 * repeats, the tool call that asked for this conversation; and, as a link alone, the call whose history it continues, which the file tells in more detail.
 */
export function linkToEarlier(
  call: ModelCall,
  { continues, known, spawn, confidence = 1 }: SessionMatch,
  messages: readonly GenAiMessage[],
): void {
  const { span, session, context } = call;
  const isAskedAgain = known > 0 && known === messages.length;
  const fresh = messages.slice(known > 0 && !isAskedAgain ? known : endOfLastAnswer(messages));
  const answered = answeredCallIds(fresh);
  if (continues === undefined && spawn === undefined && answered.length === 0) return;
  const dependencies = createDependencies(context, session?.sessionId);
  const read = outputsOfCalls(answered, context).map((on) => ({ on, type: "reads" }));
  const links: Link[] = [...dependencies.add(read, "observed")];
  if (continues?.isNamed && !isFetch(call.dialect)) {
    links.push(...dependencies.add([{ on: stepOf(continues), type: "continues" }], "observed"));
  } else if (continues !== undefined && !isAskedAgain) {
    const origin = answered.length > 0 || continues.isNamed ? "observed" : "inferred";
    links.push(linkOf(contextOf(continues), "continues", origin));
  } else if (continues !== undefined && failed.has(continues.spanId)) {
    const origin = confidence < LEAST_SURE ? "inferred" : "observed";
    links.push(...dependencies.add([{ on: stepOf(continues), type: "retry_of" }], origin));
  }
  if (spawn !== undefined) {
    const asked = [{ on: askingToolOf(spawn), type: "subagent_spawn" }];
    links.push(...dependencies.add(asked, "inferred", spawn.confidence));
  }
  tellAttributes(span, dependencies.attributes());
  // Jaeger takes a root with links for a child.
  if (!isRoot(span)) tellLinks(span, links);
}

/** Whether a call only fetches an answer: in the file it is one with the call that asked. */
export function isFetch({ operation }: Dialect): boolean {
  return operation === OPERATION_FETCH_RESPONSE;
}

/** Whether a span has no parent. */
export function isRoot(span: Span): boolean {
  return (span as { readonly parentSpanContext?: unknown }).parentSpanContext === undefined;
}

/** The ids of the tool calls whose outputs stand in these messages. */
function answeredCallIds(messages: readonly GenAiMessage[]): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (isToolCallResponsePart(part) ? [part.id ?? ""] : [])),
  );
}

function endOfLastAnswer(messages: readonly GenAiMessage[]): number {
  return messages.findLastIndex(({ role }) => role === "assistant") + 1;
}

/** The tool call as a step of the call that asked for it. */
function askingToolOf({ ending, toolCall }: Spawn): StepReference {
  const { traceId, spanId, conversation } = ending;
  const { sessionId } = conversation;
  const spanContext = contextOf({ traceId, spanId });
  return { id: `s_${spanId}.t${toolCall}`, sessionId, spanContext };
}

function stepOf(call: ContinuedCall): StepReference {
  const { spanId, sessionId } = call;
  return { id: `s_${spanId}`, sessionId, spanContext: contextOf(call) };
}

function contextOf({ traceId, spanId }: Pick<ContinuedCall, "traceId" | "spanId">): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}
