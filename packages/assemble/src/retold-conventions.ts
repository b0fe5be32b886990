import type { Attributes, ContentAttributes, Run, Step } from "@thoughtflow/schema";
import { compactJson } from "@thoughtflow/schema/canonical";
import type { StepIndex } from "@thoughtflow/schema/steps";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  type GenAiMessage,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { usageAttributes } from "./recorded-usage.ts";

/** What backends read of a run: the conventions' names for an agent at work. */
export function runConventions({ agent }: Run): Attributes {
  return {
    [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
    ...(agent !== undefined && { [ATTR_GEN_AI_AGENT_NAME]: agent }),
  };
}

/** The same of a step. */
export function stepConventions({
  label,
  payload_started,
  payload_completed,
  usage,
}: Step): Attributes {
  const started = payload_started ?? {};
  const completed = payload_completed ?? {};
  if (label === "assistant_call") {
    const reasons = completed["finish_reasons"];
    return {
      [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_CHAT,
      ...textAs(ATTR_GEN_AI_REQUEST_MODEL, started["model"]),
      ...textAs(ATTR_GEN_AI_RESPONSE_MODEL, completed["model"]),
      ...textAs(ATTR_GEN_AI_RESPONSE_ID, completed["response_id"]),
      ...(isTexts(reasons) && { [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: reasons }),
      ...usageAttributes(usage ?? {}),
    };
  }
  if (label !== "tool_call") return {};
  return {
    [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_EXECUTE_TOOL,
    ...textAs(ATTR_GEN_AI_TOOL_NAME, started["name"]),
    ...textAs(ATTR_GEN_AI_TOOL_CALL_ID, started["call_id"]),
  };
}

/** What was said: of a model call the messages that were new to it, and its answer. */
export function stepContent(step: Step, run: Run, index: StepIndex): ContentAttributes {
  const { label, payload_started: started = {}, payload_completed: completed = {} } = step;
  if (label === "tool_call")
    return {
      ...jsonAs(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, started["args"]),
      ...jsonAs(ATTR_GEN_AI_TOOL_CALL_RESULT, completed["result"]),
    };
  if (label !== "assistant_call") return {};
  const input = Array.isArray(started["input"]) ? started["input"] : [];
  const messages = input.flatMap((id) =>
    typeof id === "string" ? messageOf(index(id, run)?.step) : [],
  );
  return {
    ...(messages.length > 0 && { [ATTR_GEN_AI_INPUT_MESSAGES]: compactJson(messages) }),
    ...jsonAs(ATTR_GEN_AI_OUTPUT_MESSAGES, answerOf(step)),
  };
}

export function stepSpanName({ label, payload_started: { model, name } = {} }: Step): string {
  if (label === "assistant_call")
    return typeof model === "string" ? `${OPERATION_CHAT} ${model}` : OPERATION_CHAT;
  if (typeof name !== "string") return label;
  return label === "tool_call" ? `${OPERATION_EXECUTE_TOOL} ${name}` : name;
}

const SYSTEM_LABELS: ReadonlySet<string> = new Set([
  "policy.snapshot",
  "channel.preamble",
  "context.preamble",
  "prompt.adaptations",
]);

/** A step that a model was given, as a message; a call that came before is none. */
function messageOf(step: Step | undefined): readonly GenAiMessage[] {
  if (step === undefined) return [];
  const { label, payload_started: started = {}, payload_completed: completed = {} } = step;
  const told = (role: string, text: unknown): GenAiMessage[] =>
    typeof text === "string" ? [{ role, parts: [{ type: "text", content: text }] }] : [];
  if (label === "user_message") return told("user", started["text"]);
  if (label === "assistant_message") return told("assistant", completed["text"]);
  if (SYSTEM_LABELS.has(label))
    return told("system", started["content"] ?? started["context"] ?? started["content_preview"]);
  if (label !== "tool_output" && label !== "tool_error") return [];
  const response = completed["result"] ?? completed["error"] ?? null;
  const id = started["call_id"] ?? completed["call_id"];
  const part = { type: "tool_call_response", ...(typeof id === "string" && { id }), response };
  return [{ role: "tool", parts: [part] }];
}

function answerOf({
  payload_completed: completed = {},
}: Step): readonly GenAiMessage[] | undefined {
  const { text, function_calls: calls } = completed;
  const parts = [
    ...(typeof text === "string" && text !== "" ? [{ type: "text", content: text }] : []),
    ...(Array.isArray(calls) ? calls : []).flatMap((call) => {
      const { name, args, call_id: id } = (call ?? {}) as Record<string, unknown>;
      return typeof name === "string" ? [{ type: "tool_call", name, id, arguments: args }] : [];
    }),
  ];
  return parts.length === 0 ? undefined : [{ role: "assistant", parts }];
}

function textAs(name: string, value: unknown): Attributes {
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
}

function jsonAs(name: string, value: unknown): ContentAttributes {
  return value === undefined ? {} : { [name]: compactJson(value) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
