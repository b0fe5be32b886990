import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_THOUGHTFLOW_CALL,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
} from "@thoughtflow/semconv";
import { thoughtFields } from "@thoughtflow/thoughts";
import { argumentsPayload } from "./arguments-payload.ts";
import type { ContentReader } from "./content-reader.ts";
import type { Payload } from "./payload.ts";
import { membersOrNone } from "./present.ts";
import {
  modelCallCompleted,
  modelCallStarted,
  requestCompleted,
  requestStarted,
} from "./request-payloads.ts";
import { textAttribute } from "./span-node.ts";

type Members = Record<string, unknown> | undefined;

/** The content that a payload at a step's start is made of. */
const STARTED = [
  ATTR_THOUGHTFLOW_STEP_STARTED,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
];

/** What a span says when its step starts, in the keys of its label. */
export function startedPayload(
  record: SpanRecord,
  label: string,
  content: ContentReader,
): Payload | undefined {
  const read = (): Members => {
    const given = objectOf(content.value(record, ATTR_THOUGHTFLOW_STEP_STARTED));
    if (label === "thought" && given !== undefined) return given;
    return merged(readStarted(record, label, content), given);
  };
  return content.isStored(record, STARTED) ? read : read();
}

/** The same when its step ends. */
export function completedPayload(
  record: SpanRecord,
  label: string,
  content: ContentReader,
): Payload | undefined {
  const read = (): Members =>
    merged(
      readCompleted(record, label),
      objectOf(content.value(record, ATTR_THOUGHTFLOW_STEP_COMPLETED)),
    );
  return content.isStored(record, [ATTR_THOUGHTFLOW_STEP_COMPLETED]) ? read : read();
}

function readStarted(record: SpanRecord, label: string, content: ContentReader): Members {
  if (label === "assistant_call") return modelCallStarted(record, content);
  if (label === "tool_call") return toolPayload(record, content);
  if (label === "thought") return membersOrNone(thoughtFields(record.attributes));
  if (isRequest(record, label)) return requestStarted(record);
  return NAMED.has(label) ? { name: record.name } : undefined;
}

function readCompleted(record: SpanRecord, label: string): Members {
  if (label === "assistant_call") return modelCallCompleted(record);
  if (label === "tool_call") return okPayload(record);
  if (label === "thought") return undefined;
  return isRequest(record, label) ? requestCompleted(record) : undefined;
}

/** A request to a provider that is no conversation. */
function isRequest(record: SpanRecord, label: string): boolean {
  if (label === "embedding" || label === "evaluation") return true;
  return textAttribute(record, ATTR_THOUGHTFLOW_CALL) !== undefined;
}

/** The labels whose payload has a `name`. */
const NAMED: ReadonlySet<string> = new Set([
  "node",
  "agent",
  "handoff",
  "retrieval",
  "evaluation",
  "approval",
  "memory_read",
  "memory_write",
  "generic",
]);

function toolPayload(record: SpanRecord, content: ContentReader): Record<string, unknown> {
  const args = content.value(record, ATTR_GEN_AI_TOOL_CALL_ARGUMENTS);
  const callId = textAttribute(record, ATTR_GEN_AI_TOOL_CALL_ID);
  return {
    name: textAttribute(record, ATTR_GEN_AI_TOOL_NAME) ?? record.name,
    ...argumentsPayload(args),
    ...(callId !== undefined && { call_id: callId }),
  };
}

function okPayload(record: SpanRecord): Members {
  if (record.type === "span_start") return undefined;
  return record.status.code === "error" ? FAILED : SUCCEEDED;
}

/** Once for all: of tool calls there may be fifty thousand. */
const SUCCEEDED = Object.freeze({ ok: true });
const FAILED = Object.freeze({ ok: false });

function merged(
  read: Record<string, unknown> | undefined,
  given: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  return read === undefined || given === undefined ? (given ?? read) : { ...read, ...given };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}
