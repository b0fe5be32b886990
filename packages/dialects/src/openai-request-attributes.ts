import {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OUTPUT_TYPE,
  ATTR_GEN_AI_REQUEST_CHOICE_COUNT,
  ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY,
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_REQUEST_REASONING_LEVEL,
  ATTR_GEN_AI_REQUEST_SEED,
  ATTR_GEN_AI_REQUEST_STOP_SEQUENCES,
  ATTR_GEN_AI_REQUEST_STREAM,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_REQUEST_TOP_P,
  ATTR_OPENAI_REQUEST_SERVICE_TIER,
  OPENAI_REQUEST_PREFIX,
} from "@thoughtflow/semconv";
import type { DialectAttributes } from "./dialect.ts";
import { itemsOf, numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** The parameters that chat, responses and completions share, each under the name its API has for it. */
export function requestAttributes(value: unknown): DialectAttributes {
  const request = propertiesOf(value);
  const choices = numberOf(request["n"]);
  const tier = textOf(request["service_tier"]);
  return present<string | number | boolean | string[]>({
    [ATTR_GEN_AI_REQUEST_MODEL]: textOf(request["model"]),
    [ATTR_GEN_AI_REQUEST_MAX_TOKENS]: numberOf(
      request["max_output_tokens"] ?? request["max_completion_tokens"] ?? request["max_tokens"],
    ),
    [ATTR_GEN_AI_REQUEST_TEMPERATURE]: numberOf(request["temperature"]),
    [ATTR_GEN_AI_REQUEST_TOP_P]: numberOf(request["top_p"]),
    [ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY]: numberOf(request["frequency_penalty"]),
    [ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY]: numberOf(request["presence_penalty"]),
    [ATTR_GEN_AI_REQUEST_STOP_SEQUENCES]: stopSequences(request["stop"]),
    [ATTR_GEN_AI_REQUEST_SEED]: numberOf(request["seed"]),
    [ATTR_GEN_AI_REQUEST_CHOICE_COUNT]: choices === 1 ? undefined : choices,
    [ATTR_GEN_AI_REQUEST_STREAM]: request["stream"] === true ? true : undefined,
    [ATTR_GEN_AI_REQUEST_REASONING_LEVEL]: textOf(
      request["reasoning_effort"] ?? propertiesOf(request["reasoning"])["effort"],
    ),
    [ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID]: textOf(request["previous_response_id"]),
    [ATTR_GEN_AI_CONVERSATION_ID]: conversationIdOf(request),
    [ATTR_GEN_AI_OUTPUT_TYPE]: outputType(request),
    [ATTR_OPENAI_REQUEST_SERVICE_TIER]: tier === "auto" ? undefined : tier,
    ...otherParameters(request),
  });
}

/** The attribute for each parameter that the conventions have no name for, and that tells nothing about people. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  [
    "background",
    "best_of",
    "echo",
    "input_fidelity",
    "language",
    "logprobs",
    "max_tool_calls",
    "moderation",
    "output_compression",
    "output_format",
    "parallel_tool_calls",
    "partial_images",
    "prompt_cache_key",
    "prompt_cache_retention",
    "quality",
    "response_format",
    "seconds",
    "size",
    "speed",
    "store",
    "stream_format",
    "style",
    "tool_choice",
    "top_logprobs",
    "truncation",
    "verbosity",
    "voice",
  ].map((name) => [name, OPENAI_REQUEST_PREFIX + name]),
);

/** As they were given, 0, `false` and the empty text too; a chosen tool is told by its name. */
function otherParameters(request: Readonly<Record<string, unknown>>) {
  const others: Record<string, string | number | boolean | undefined> = {};
  for (const name in request) {
    const attribute = OTHERS.get(name);
    if (attribute === undefined) continue;
    const value = request[name];
    others[attribute] = name === "tool_choice" ? chosenTool(value) : plainValue(value);
  }
  return others;
}

function plainValue(value: unknown): string | number | boolean | undefined {
  return typeof value === "string" || typeof value === "boolean" ? value : numberOf(value);
}

function chosenTool(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { name, type, function: called } = propertiesOf(value);
  return textOf(name) ?? textOf(propertiesOf(called)["name"]) ?? textOf(type);
}

/** The Responses API takes a conversation by its id or as an object. */
function conversationIdOf(request: Readonly<Record<string, unknown>>): string | undefined {
  const conversation = request["conversation"];
  return textOf(conversation) ?? textOf(propertiesOf(conversation)["id"]);
}

function stopSequences(stop: unknown): string[] | undefined {
  if (typeof stop === "string") return [stop];
  const sequences = itemsOf(stop).filter((item) => typeof item === "string");
  return sequences.length === 0 ? undefined : sequences;
}

function outputType(request: Readonly<Record<string, unknown>>): string | undefined {
  if (itemsOf(request["modalities"]).includes("audio")) return "speech";
  const format = request["response_format"] ?? propertiesOf(request["text"])["format"];
  const type = textOf(propertiesOf(format)["type"]);
  return type === "json_object" || type === "json_schema" ? "json" : type;
}

/** The schema that an answer has to fit, wherever the API takes it. */
export function outputSchemaOf(value: unknown): unknown {
  const request = propertiesOf(value);
  const { response_format: format, text } = request;
  return (
    propertiesOf(propertiesOf(format)["json_schema"])["schema"] ??
    propertiesOf(propertiesOf(text)["format"])["schema"]
  );
}
