import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import { preview } from "@thoughtflow/schema/preview";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_OPENAI_API_TYPE,
  ATTR_OPENAI_MODERATION_CATEGORIES,
  ATTR_OPENAI_MODERATION_FLAGGED,
  ATTR_THOUGHTFLOW_CALL,
  ATTR_THOUGHTFLOW_OUTCOME,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  ATTR_THOUGHTFLOW_STREAM_CHUNKS,
  ATTR_X_REQUEST_ID,
  OPENAI_REQUEST_PREFIX,
} from "@thoughtflow/semconv";
import type { ContentReader } from "./content-reader.ts";
import { present } from "./present.ts";
import { listAttribute, numberAttribute, textAttribute } from "./span-node.ts";
import { wordsOf } from "./words-of.ts";

interface Payloads {
  readonly payloadStarted: Record<string, unknown> | undefined;
  readonly payloadCompleted: Record<string, unknown> | undefined;
}

/** What a span says of its step's start and end, in the keys of its label. */
export function payloadsOf(record: SpanRecord, label: string, content: ContentReader): Payloads {
  const given: Payloads = {
    payloadStarted: objectOf(content.value(record, ATTR_THOUGHTFLOW_STEP_STARTED)),
    payloadCompleted: objectOf(content.value(record, ATTR_THOUGHTFLOW_STEP_COMPLETED)),
  };
  const read = readPayloads(record, label, content);
  return {
    payloadStarted: merged(read.payloadStarted, given.payloadStarted),
    payloadCompleted: merged(read.payloadCompleted, given.payloadCompleted),
  };
}

function readPayloads(record: SpanRecord, label: string, content: ContentReader): Payloads {
  switch (label) {
    case "assistant_call":
      return modelCallPayloads(record, content);
    case "tool_call":
      return { payloadStarted: toolPayload(record, content), payloadCompleted: okPayload(record) };
    case "embedding":
    case "evaluation":
      return requestPayloads(record);
    default:
      if (textAttribute(record, ATTR_THOUGHTFLOW_CALL) !== undefined)
        return requestPayloads(record);
      return {
        payloadStarted: isNamed(label) ? { name: record.name } : undefined,
        payloadCompleted: undefined,
      };
  }
}

/** The labels whose payload has a `name`. */
function isNamed(label: string): boolean {
  return NAMED.has(label);
}

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

function modelCallPayloads(record: SpanRecord, content: ContentReader): Payloads {
  const { system, tools } = content.modelCall(record);
  const instructions = wordsOf(system);
  const finishReasons = listAttribute(record, ATTR_GEN_AI_RESPONSE_FINISH_REASONS);
  const completed = present({
    response_id: textAttribute(record, ATTR_GEN_AI_RESPONSE_ID),
    model: textAttribute(record, ATTR_GEN_AI_RESPONSE_MODEL),
    finish_reasons: finishReasons.length > 0 ? finishReasons : undefined,
    ...endOf(record),
  });
  return {
    payloadStarted: {
      name: callName(record),
      ...present({ model: textAttribute(record, ATTR_GEN_AI_REQUEST_MODEL) }),
      arguments: {
        ...(instructions !== "" && { instructions_preview: preview(instructions) }),
        ...(tools.length > 0 && { tools_count: tools.length }),
        ...parametersOf(record.attributes),
        ...present({ output_schema: content.value(record, ATTR_THOUGHTFLOW_OUTPUT_SCHEMA) }),
      },
    },
    payloadCompleted: Object.keys(completed).length > 0 ? completed : undefined,
  };
}

/** A request to a provider that is no conversation. */
function requestPayloads(record: SpanRecord): Payloads {
  const { attributes } = record;
  const completed = present({
    response_id: textAttribute(record, ATTR_GEN_AI_RESPONSE_ID),
    model: textAttribute(record, ATTR_GEN_AI_RESPONSE_MODEL),
    ...endOf(record),
    result: resultOf(attributes),
  });
  return {
    payloadStarted: {
      name: callName(record),
      ...present({ model: textAttribute(record, ATTR_GEN_AI_REQUEST_MODEL) }),
      args: parametersOf(attributes),
    },
    payloadCompleted: Object.keys(completed).length > 0 ? completed : undefined,
  };
}

/** What a judgement came to: only structure, and so known with content off, too. */
function resultOf(attributes: Attributes): Record<string, unknown> | undefined {
  const flagged = attributes[ATTR_OPENAI_MODERATION_FLAGGED];
  if (flagged === undefined) return undefined;
  return { flagged, ...present({ categories: attributes[ATTR_OPENAI_MODERATION_CATEGORIES] }) };
}

/** How a request ended, whatever it was for. */
function endOf(record: SpanRecord) {
  const { attributes } = record;
  const firstChunk = numberAttribute(record, ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK);
  const isError = record.status.code === "error";
  return {
    outcome: textAttribute(record, ATTR_THOUGHTFLOW_OUTCOME),
    retries: numberAttribute(record, ATTR_HTTP_REQUEST_RESEND_COUNT),
    time_to_first_chunk_ms: firstChunk === undefined ? undefined : Math.round(firstChunk * 1000),
    chunks: numberAttribute(record, ATTR_THOUGHTFLOW_STREAM_CHUNKS),
    status_code: isError ? attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] : undefined,
    request_id: listAttribute(record, ATTR_X_REQUEST_ID)[0],
  };
}

function toolPayload(record: SpanRecord, content: ContentReader): Record<string, unknown> {
  const args = content.value(record, ATTR_GEN_AI_TOOL_CALL_ARGUMENTS);
  return {
    name: textAttribute(record, ATTR_GEN_AI_TOOL_NAME) ?? record.name,
    ...argumentsPayload(args),
    ...present({ call_id: textAttribute(record, ATTR_GEN_AI_TOOL_CALL_ID) }),
  };
}

/** `args` when they are JSON, `args_text` when they are only text. */
export function argumentsPayload(args: unknown): Record<string, unknown> {
  if (args === undefined) return {};
  return typeof args === "string" ? { args_text: args } : { args };
}

function okPayload(record: SpanRecord): Record<string, unknown> | undefined {
  if (record.type === "span_start") return undefined;
  return { ok: record.status.code !== "error" };
}

/** What the program called, as it would write it: `openai.chat.completions.create`. */
function callName(record: SpanRecord): string {
  const call = textAttribute(record, ATTR_THOUGHTFLOW_CALL);
  if (call !== undefined) return call;
  const operation = textAttribute(record, ATTR_GEN_AI_OPERATION_NAME) ?? record.name;
  const api = textAttribute(record, ATTR_OPENAI_API_TYPE);
  if (api === "chat_completions") return "openai.chat.completions.create";
  if (api === "responses") return "openai.responses.create";
  const provider = textAttribute(record, ATTR_GEN_AI_PROVIDER_NAME);
  return provider === undefined ? operation : `${provider}.${operation}`;
}

const REQUEST_PREFIXES = ["gen_ai.request.", OPENAI_REQUEST_PREFIX];

/** `gen_ai.request.max_tokens` → `max_tokens`, and so on for all but the model. */
function parametersOf(attributes: Attributes): Record<string, unknown> {
  const parameters = Object.entries(attributes).flatMap(([name, value]): [string, unknown][] => {
    const prefix = REQUEST_PREFIXES.find((start) => name.startsWith(start));
    if (prefix === undefined || name === ATTR_GEN_AI_REQUEST_MODEL) return [];
    return [[name.slice(prefix.length).replaceAll(".", "_"), value]];
  });
  return Object.fromEntries(parameters.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

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
