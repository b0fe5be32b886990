import { isReasoningPart, isTextPart } from "@thoughtflow/semconv";
import { contentParts } from "./content-parts.ts";
import type { StreamFold } from "./dialect.ts";
import { logprobsIn } from "./openai-choices.ts";
import { mayTellWhole } from "./tool-call-part.ts";
import { numberOf, propertiesOf, textOf } from "./unknown-values.ts";

interface ToolCallState {
  readonly index: number;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  readonly kind: "function" | "custom";
}

interface ChoiceState {
  role: string;
  content: string | undefined;
  refusal: string | undefined;
  reasoning: string | undefined;
  audio: Record<string, string> | undefined;
  /** Content that is no text, as it came. */
  readonly media: unknown[];
  /** In the order of their beginnings; deltas of parallel calls may interleave. */
  readonly tools: ToolCallState[];
  legacy: ToolCallState | undefined;
  finishReason: unknown;
  error: unknown;
}

/** Folds `chat.completion.chunk` objects. Choices go by `index`; chunks may lack `choices`, or hold usage only. */
export function createChatFold(onToolCall?: () => void): StreamFold {
  const head: Record<string, unknown> = {};
  const choices = new Map<number, ChoiceState>();
  let logprobs = 0;

  function add(value: unknown): void {
    const chunk = propertiesOf(value);
    const list = chunk["choices"];
    if (Array.isArray(list)) {
      for (const item of list) {
        const choice = propertiesOf(item);
        const index = numberOf(choice["index"]) ?? 0;
        const state = choices.get(index) ?? added(choices, index, emptyChoice());
        if (choice["finish_reason"]) state.finishReason = choice["finish_reason"];
        if (choice["error"]) state.error = choice["error"];
        if (choice["logprobs"]) logprobs += logprobsIn(choice);
        const delta = propertiesOf(choice["delta"]);
        addDelta(state, delta);
        if (onToolCall !== undefined && tellsOfCall(delta, choice, state.tools)) onToolCall();
      }
    }
    keepHead(head, chunk);
  }

  function response(): unknown {
    const ordered = [...choices].sort(([left], [right]) => left - right);
    return {
      ...head,
      object: "chat.completion",
      ...(logprobs > 0 && { logprobs_count: logprobs }),
      choices: ordered.map(([index, state]) => ({
        index,
        finish_reason: state.finishReason,
        ...(state.error !== undefined && { error: state.error }),
        message: messageFrom(state),
      })),
    };
  }

  return { add, response };
}

function added<Value>(map: Map<number, Value>, key: number, value: Value): Value {
  map.set(key, value);
  return value;
}

function emptyChoice(): ChoiceState {
  return {
    role: "assistant",
    content: undefined,
    refusal: undefined,
    reasoning: undefined,
    audio: undefined,
    media: [],
    tools: [],
    legacy: undefined,
    finishReason: null,
    error: undefined,
  };
}

/** The last value that says something counts: gateways send empty ids and models before the real ones. */
function keepHead(head: Record<string, unknown>, chunk: Readonly<Record<string, unknown>>): void {
  const usage = chunk["usage"] ?? propertiesOf(chunk["x_groq"])["usage"];
  if (usage) head["usage"] = usage;
  // As vLLM has it: without an envelope.
  const error = chunk["object"] === "error" ? chunk : chunk["error"];
  if (error) head["error"] = error;
  // Every chunk of a stream has the same head: it is read once.
  if (chunk["id"] === head["id"] && chunk["model"] === head["model"]) return;
  for (const key of ["id", "model", "created", "service_tier", "system_fingerprint"]) {
    if (chunk[key]) head[key] = chunk[key];
  }
}

function addDelta(state: ChoiceState, delta: Readonly<Record<string, unknown>>): void {
  const content = delta["content"];
  if (typeof content === "string") state.content = (state.content ?? "") + content;
  else if (Array.isArray(content)) for (const part of content) addPart(state, part);
  if (Array.isArray(delta["images"])) state.media.push(...delta["images"]);
  if (typeof delta["refusal"] === "string") {
    state.refusal = (state.refusal ?? "") + delta["refusal"];
  }
  const reasoning = delta["reasoning_content"] ?? delta["reasoning"];
  if (typeof reasoning === "string") state.reasoning = (state.reasoning ?? "") + reasoning;
  if (typeof delta["role"] === "string" && delta["role"] !== "") state.role = delta["role"];
  if (Array.isArray(delta["tool_calls"])) {
    for (const item of delta["tool_calls"]) addToolCall(state.tools, propertiesOf(item));
  }
  if (delta["function_call"]) {
    state.legacy ??= emptyCall(0, "function");
    extendCall(state.legacy, propertiesOf(delta["function_call"]), "arguments");
  }
  if (delta["audio"]) addAudio(state, propertiesOf(delta["audio"]));
}

/** Mistral streams content as a list of parts where the model thinks. */
function addPart(state: ChoiceState, item: unknown): void {
  for (const part of contentParts([item])) {
    if (isTextPart(part)) state.content = (state.content ?? "") + part.content;
    else if (isReasoningPart(part)) state.reasoning = (state.reasoning ?? "") + part.content;
    else state.media.push(item);
  }
}

/** Whether a call begins, with its id, or may be whole: at a closing brace, or where the model stopped to have it done. */
function tellsOfCall(
  { tool_calls: calls }: Readonly<Record<string, unknown>>,
  { finish_reason: reason }: Readonly<Record<string, unknown>>,
  states: readonly ToolCallState[],
): boolean {
  if (reason === "tool_calls") return true;
  if (!Array.isArray(calls)) return false;
  const isBraceTold = states.some((state) => mayTellWhole(state.arguments));
  return calls.some((item) => {
    const { id, function: called } = propertiesOf(item);
    const isClosed = textOf(propertiesOf(called)["arguments"])?.endsWith("}");
    return Boolean(id) || (isBraceTold && isClosed);
  });
}

function emptyCall(index: number, kind: ToolCallState["kind"]): ToolCallState {
  return { index, id: undefined, name: undefined, arguments: "", kind };
}

function addToolCall(tools: ToolCallState[], item: Readonly<Record<string, unknown>>): void {
  const id = textOf(item["id"]);
  // Some gateways leave the index out: a call with an id is a new one then, without one it goes on.
  const index = numberOf(item["index"]) ?? Math.max(0, tools.length - (id ? 0 : 1));
  const custom = item["custom"] !== undefined || item["type"] === "custom";
  const delta = propertiesOf(custom ? item["custom"] : item["function"]);
  let call = tools.findLast((one) => one.index === index);
  // Gemini and Ollama give every call the index 0; vLLM gave every delta an id of its own, but none a second name.
  const isNext = call?.id !== undefined && id !== undefined && id !== call.id;
  if (call === undefined || (isNext && textOf(delta["name"]) !== undefined)) {
    call = emptyCall(index, custom ? "custom" : "function");
    tools.push(call);
  }
  call.id ??= id;
  extendCall(call, delta, custom ? "input" : "arguments");
}

function extendCall(
  call: ToolCallState,
  delta: Readonly<Record<string, unknown>>,
  text: "arguments" | "input",
): void {
  call.name ??= textOf(delta["name"]);
  if (typeof delta[text] === "string") call.arguments += delta[text];
}

function addAudio(state: ChoiceState, delta: Readonly<Record<string, unknown>>): void {
  state.audio ??= {};
  if (typeof delta["id"] === "string") state.audio["id"] = delta["id"];
  if (typeof delta["transcript"] === "string") {
    state.audio["transcript"] = (state.audio["transcript"] ?? "") + delta["transcript"];
  }
}

function messageFrom(state: ChoiceState): Record<string, unknown> {
  const { role, content, refusal, reasoning, audio, media, tools, legacy } = state;
  const message: Record<string, unknown> = { role, content: content ?? null };
  if (refusal !== undefined) message["refusal"] = refusal;
  if (reasoning !== undefined) message["reasoning_content"] = reasoning;
  if (audio !== undefined) message["audio"] = audio;
  if (media.length > 0) message["images"] = media;
  if (tools.length > 0) {
    message["tool_calls"] = tools
      .toSorted((left, right) => left.index - right.index)
      .map((call) => ({ id: call.id, type: call.kind, [call.kind]: calledFrom(call) }));
  }
  if (legacy !== undefined) message["function_call"] = calledFrom(legacy);
  return message;
}

function calledFrom(call: ToolCallState): Record<string, unknown> {
  return call.kind === "custom"
    ? { name: call.name, input: call.arguments }
    : { name: call.name, arguments: call.arguments };
}
