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
import { itemsOf, numberOf, propertiesOf, textOf } from "./unknown-values.ts";

type Request = Readonly<Record<string, unknown>>;
type Value = string | number | boolean | string[] | undefined;

/** The attribute of one parameter, and what it says there; `undefined` where there is nothing to say. */
interface Parameter {
  readonly attribute: string;
  readonly read: (value: unknown, request: Request) => Value;
}

/** The parameters that the APIs share, each under every name that an API has for it. */
const PARAMETERS: ReadonlyMap<string, Parameter> = new Map([
  ...named(ATTR_GEN_AI_REQUEST_MODEL, textOf, "model"),
  ...named(
    ATTR_GEN_AI_REQUEST_MAX_TOKENS,
    (_, request) =>
      numberOf(
        request["max_output_tokens"] ?? request["max_completion_tokens"] ?? request["max_tokens"],
      ),
    "max_output_tokens",
    "max_completion_tokens",
    "max_tokens",
  ),
  ...named(ATTR_GEN_AI_REQUEST_TEMPERATURE, numberOf, "temperature"),
  ...named(ATTR_GEN_AI_REQUEST_TOP_P, numberOf, "top_p"),
  ...named(ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY, numberOf, "frequency_penalty"),
  ...named(ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY, numberOf, "presence_penalty"),
  ...named(ATTR_GEN_AI_REQUEST_STOP_SEQUENCES, stopSequences, "stop"),
  ...named(ATTR_GEN_AI_REQUEST_SEED, numberOf, "seed"),
  ...named(ATTR_GEN_AI_REQUEST_CHOICE_COUNT, (n) => (n === 1 ? undefined : numberOf(n)), "n"),
  ...named(ATTR_GEN_AI_REQUEST_STREAM, (stream) => stream === true || undefined, "stream"),
  ...named(
    ATTR_GEN_AI_REQUEST_REASONING_LEVEL,
    (_, request) =>
      textOf(request["reasoning_effort"] ?? propertiesOf(request["reasoning"])["effort"]),
    "reasoning_effort",
    "reasoning",
  ),
  ...named(ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID, textOf, "previous_response_id"),
  ...named(
    ATTR_GEN_AI_CONVERSATION_ID,
    // The Responses API takes a conversation by its id or as an object.
    (conversation) => textOf(conversation) ?? textOf(propertiesOf(conversation)["id"]),
    "conversation",
  ),
  ...named(
    ATTR_OPENAI_REQUEST_SERVICE_TIER,
    (tier) => (tier === "auto" ? undefined : textOf(tier)),
    "service_tier",
  ),
  ...others(chosenTool, "tool_choice"),
  // What the conventions have no name for, and what tells nothing about people.
  ...others(
    plainValue,
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
    "top_logprobs",
    "truncation",
    "verbosity",
    "voice",
  ),
]);

function named(
  attribute: string,
  read: Parameter["read"],
  ...names: readonly string[]
): readonly (readonly [string, Parameter])[] {
  return names.map((name) => [name, { attribute, read }]);
}

function others(
  read: Parameter["read"],
  ...names: readonly string[]
): readonly (readonly [string, Parameter])[] {
  return names.flatMap((name) => named(OPENAI_REQUEST_PREFIX + name, read, name));
}

/** The parameters of a request as they were given, 0, `false` and the empty text too; whatever is no parameter is left out. */
export function requestAttributes(value: unknown): Record<string, NonNullable<Value>> {
  const request = propertiesOf(value);
  const attributes: Record<string, NonNullable<Value>> = {};
  for (const name in request) {
    const parameter = PARAMETERS.get(name);
    const read = parameter?.read(request[name], request);
    if (parameter !== undefined && read !== undefined) attributes[parameter.attribute] = read;
  }
  const type = outputType(request);
  if (type !== undefined) attributes[ATTR_GEN_AI_OUTPUT_TYPE] = type;
  return attributes;
}

function plainValue(value: unknown): string | number | boolean | undefined {
  return typeof value === "string" || typeof value === "boolean" ? value : numberOf(value);
}

/** A chosen tool is told by its name. */
function chosenTool(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { name, type, function: called } = propertiesOf(value);
  return textOf(name) ?? textOf(propertiesOf(called)["name"]) ?? textOf(type);
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
