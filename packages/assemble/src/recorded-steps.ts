import type { Pricing } from "@thoughtflow/dialects/prices";
import type { FlowError, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_ERROR_MESSAGE,
  ATTR_ERROR_TYPE,
  ATTR_EXCEPTION_MESSAGE,
  ATTR_EXCEPTION_STACKTRACE,
  ATTR_EXCEPTION_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_RESPONSE_STATUS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_THOUGHTFLOW_OUTCOME,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  ATTR_THOUGHTFLOW_STEP_STATUS,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_FETCH_RESPONSE,
  OPERATION_GENERATE_CONTENT,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_MODERATE,
  OPERATION_REALTIME_SESSION,
  OPERATION_RETRIEVAL,
  OPERATION_SEARCH_MEMORY,
  OPERATION_TEXT_COMPLETION,
  OPERATION_UPSERT_MEMORY,
} from "@thoughtflow/semconv";
import type { ContentReader } from "./content-reader.ts";
import { createFreeIds } from "./free-ids.ts";
import { isMachinery } from "./machinery.ts";
import { membersOf, type Payload } from "./payload.ts";
import { costOf } from "./recorded-cost.ts";
import { completedPayload, startedPayload } from "./recorded-payloads.ts";
import { usageOf } from "./recorded-usage.ts";
import { isRemoteCall } from "./remote-call.ts";
import { type SpanNode, textAttribute } from "./span-node.ts";
import { createDraft, type RunDraft, type StepDraft } from "./step-draft.ts";

/** The label of a span by its operation, where the program gave none. */
const LABELS: ReadonlyMap<string, string> = new Map([
  [OPERATION_CHAT, "assistant_call"],
  [OPERATION_TEXT_COMPLETION, "assistant_call"],
  [OPERATION_GENERATE_CONTENT, "assistant_call"],
  [OPERATION_FETCH_RESPONSE, "assistant_call"],
  [OPERATION_EMBEDDINGS, "embedding"],
  [OPERATION_MODERATE, "evaluation"],
  [OPERATION_RETRIEVAL, "retrieval"],
  [OPERATION_EXECUTE_TOOL, "tool_call"],
  [OPERATION_INVOKE_AGENT, "agent"],
  [OPERATION_INVOKE_WORKFLOW, "node"],
  [OPERATION_REALTIME_SESSION, "node"],
  [OPERATION_SEARCH_MEMORY, "memory_read"],
  ["create_memory", "memory_write"],
  ["update_memory", "memory_write"],
  [OPERATION_UPSERT_MEMORY, "memory_write"],
  ["delete_memory", "memory_write"],
  // Of other emitters, whose spans `neutralSpan` has put into the conventions' words.
  ["agent_step", "node"],
  ["plan", "node"],
  ["rerank", "retrieval"],
  ["evaluate", "evaluation"],
  ["guardrail", "evaluation"],
  ["handoff", "handoff"],
  ["approval", "approval"],
]);

/** The labels that only frame other steps: as a local root they are the run itself and no step of it. */
const FRAMES: ReadonlySet<string> = new Set(["agent", "node", "generic"]);

/** One step for each span of the run, but for a root that only frames the others. */
export function recordedSteps(
  run: RunDraft,
  content: ContentReader,
  pricing: Pricing,
): StepDraft[] {
  const drafts = new Map<SpanNode, StepDraft>();
  const ids = createFreeIds();
  for (const span of run.spans.spans) {
    const { record } = span;
    const given = textAttribute(record, ATTR_THOUGHTFLOW_STEP_LABEL);
    const label = given ?? labelOf(record);
    if (span === run.spans.root && given === undefined && isFrame(record, label)) continue;
    if (isMachinery(record)) continue;
    const named = textAttribute(record, ATTR_THOUGHTFLOW_STEP_ID) ?? `s_${record.spanId}`;
    const id = ids.take(named, record.spanId);
    const usage = usageOf(record);
    const status = statusOf(record);
    const payloadStarted = startedPayload(record, label, content);
    const draft = createDraft({ run, id, label, origin: "recorded", span, moment: span.moment });
    draft.started = span.start;
    draft.ended = span.end;
    draft.status = status;
    draft.usage = usage;
    draft.cost = costOf(span, label, usage, pricing);
    draft.error = errorOf(record, status === "cancelled");
    if (label === "tool_call") draft.callId = callIdOf(record, payloadStarted, content);
    draft.payloadStarted = payloadStarted;
    draft.payloadCompleted = completedPayload(record, label, content);
    drafts.set(span, draft);
  }
  const steps = [...drafts.values()];
  for (const step of steps) step.parent = stepAbove(step.span, drafts);
  return steps;
}

/** What the span says; a payload that the program gave may say otherwise, and is read for that. */
function callIdOf(
  record: SpanRecord,
  started: Payload | undefined,
  content: ContentReader,
): string | undefined {
  if (!content.has(record, ATTR_THOUGHTFLOW_STEP_STARTED))
    return textAttribute(record, ATTR_GEN_AI_TOOL_CALL_ID);
  const id = membersOf(started)?.["call_id"];
  return typeof id === "string" ? id : undefined;
}

function labelOf(record: SpanRecord): string {
  const operation = textAttribute(record, ATTR_GEN_AI_OPERATION_NAME) ?? "";
  // A fetch that brought no answer tells nothing of the call that it asked about.
  const isVain =
    operation === OPERATION_FETCH_RESPONSE &&
    textAttribute(record, ATTR_GEN_AI_RESPONSE_STATUS) === undefined;
  return (isVain ? undefined : LABELS.get(operation)) ?? "generic";
}

/** A request to a server is a step also where nothing is around it: an agent that runs elsewhere, an unknown call. */
function isFrame(record: SpanRecord, label: string): boolean {
  return FRAMES.has(label) && !isRemoteCall(record);
}

/** What went wrong with a span, or called it off: from its status, its last exception, its `error.type` and `error.message`. */
export function errorOf(record: SpanRecord, isCalledOff: boolean): FlowError | undefined {
  if (record.status.code !== "error" && !isCalledOff) return undefined;
  const last = record.events.findLast((event) => event.name === "exception");
  if (record.status.code !== "error" && last === undefined) return undefined;
  const exception = last?.attributes ?? {};
  const type = textAttribute(record, ATTR_ERROR_TYPE) ?? exception[ATTR_EXCEPTION_TYPE];
  const message =
    record.status.message ??
    exception[ATTR_EXCEPTION_MESSAGE] ??
    textAttribute(record, ATTR_ERROR_MESSAGE);
  const stack = exception[ATTR_EXCEPTION_STACKTRACE];
  return {
    ...(typeof type === "string" && { type }),
    ...(typeof message === "string" && message !== "" && { message }),
    ...(typeof stack === "string" && { stack }),
  };
}

function stepAbove(
  span: SpanNode,
  drafts: ReadonlyMap<SpanNode, StepDraft>,
): StepDraft | undefined {
  for (let at = span.parent; at !== undefined; at = at.parent) {
    const draft = drafts.get(at);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

function statusOf(record: SpanRecord): string {
  if (record.type === "span_start") return "running";
  if (record.status.code === "error") return "error";
  const given = textAttribute(record, ATTR_THOUGHTFLOW_STEP_STATUS);
  if (given !== undefined) return given;
  const outcome = textAttribute(record, ATTR_THOUGHTFLOW_OUTCOME);
  if (outcome === "cancelled" || outcome === "aborted") return "cancelled";
  return outcome === "abandoned" ? "abandoned" : "ok";
}
