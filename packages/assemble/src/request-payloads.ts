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
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_OPENAI_API_TYPE,
  ATTR_OPENAI_MODERATION_CATEGORIES,
  ATTR_OPENAI_MODERATION_FLAGGED,
  ATTR_THOUGHTFLOW_AUDIO_SECONDS,
  ATTR_THOUGHTFLOW_CALL,
  ATTR_THOUGHTFLOW_GIVEN_FINISH_REASONS,
  ATTR_THOUGHTFLOW_OUTCOME,
  ATTR_THOUGHTFLOW_OUTPUT_SCHEMA,
  ATTR_THOUGHTFLOW_STREAM_CHUNKS,
  ATTR_X_REQUEST_ID,
  OPENAI_REQUEST_PREFIX,
  wordsOf,
} from "@thoughtflow/semconv";
import type { ContentReader } from "./content-reader.ts";
import { membersOrNone, present } from "./present.ts";
import { listAttribute, numberAttribute, textAttribute } from "./span-node.ts";

/** What a call of a model asked for, its messages left out: those are steps. */
export function modelCallStarted(
  record: SpanRecord,
  content: ContentReader,
): Record<string, unknown> | undefined {
  const { system, tools } = content.modelCall(record);
  const instructions = wordsOf(system);
  const model = textAttribute(record, ATTR_GEN_AI_REQUEST_MODEL);
  const schema = content.value(record, ATTR_THOUGHTFLOW_OUTPUT_SCHEMA);
  return {
    name: callName(record),
    ...(model !== undefined && { model }),
    arguments: {
      ...(instructions !== "" && { instructions_preview: preview(instructions) }),
      ...(tools.length > 0 && { tools_count: tools.length }),
      ...parametersOf(record.attributes),
      ...(schema !== undefined && { output_schema: schema }),
    },
  };
}

/** How a call of a model ended, its answer left out: that is a step. */
export function modelCallCompleted(record: SpanRecord): Record<string, unknown> | undefined {
  const finishReasons = listAttribute(record, ATTR_GEN_AI_RESPONSE_FINISH_REASONS);
  const givenReasons = listAttribute(record, ATTR_THOUGHTFLOW_GIVEN_FINISH_REASONS);
  return membersOrNone({
    response_id: textAttribute(record, ATTR_GEN_AI_RESPONSE_ID),
    model: textAttribute(record, ATTR_GEN_AI_RESPONSE_MODEL),
    finish_reasons: finishReasons.length > 0 ? [...finishReasons] : undefined,
    given_finish_reasons: givenReasons.length > 0 ? [...givenReasons] : undefined,
    ...endOf(record),
  });
}

/** What a request that is no conversation asked for: an embedding, an image, a judgement. */
export function requestStarted(record: SpanRecord): Record<string, unknown> | undefined {
  return {
    name: callName(record),
    ...present({ model: textAttribute(record, ATTR_GEN_AI_REQUEST_MODEL) }),
    args: parametersOf(record.attributes),
  };
}

/** How such a request ended. */
export function requestCompleted(record: SpanRecord): Record<string, unknown> | undefined {
  return membersOrNone({
    response_id: textAttribute(record, ATTR_GEN_AI_RESPONSE_ID),
    model: textAttribute(record, ATTR_GEN_AI_RESPONSE_MODEL),
    ...endOf(record),
    result: resultOf(record.attributes),
  });
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
    audio_seconds: numberAttribute(record, ATTR_THOUGHTFLOW_AUDIO_SECONDS),
    status_code: isError ? attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] : undefined,
    request_id: listAttribute(record, ATTR_X_REQUEST_ID)[0],
  };
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

const GEN_AI_REQUEST_PREFIX = "gen_ai.request.";

function prefixOf(name: string): string | undefined {
  if (name.startsWith(GEN_AI_REQUEST_PREFIX)) return GEN_AI_REQUEST_PREFIX;
  return name.startsWith(OPENAI_REQUEST_PREFIX) ? OPENAI_REQUEST_PREFIX : undefined;
}

/** `gen_ai.request.max_tokens` → `max_tokens`, and so on for all but the model. */
function parametersOf(attributes: Attributes): Record<string, unknown> {
  const parameters: [string, unknown][] = [];
  for (const name in attributes) {
    const prefix = prefixOf(name);
    if (prefix === undefined || name === ATTR_GEN_AI_REQUEST_MODEL) continue;
    parameters.push([name.slice(prefix.length).replaceAll(".", "_"), attributes[name]]);
  }
  if (parameters.length === 0) return {};
  return Object.fromEntries(parameters.sort(([a], [b]) => (a < b ? -1 : 1)));
}
