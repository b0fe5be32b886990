import type { StreamFold } from "./dialect.ts";
import { logprobsIn } from "./openai-choices.ts";
import { numberOf, propertiesOf, textOf } from "./unknown-values.ts";

interface ToolCallState {
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
  /** By `index`: deltas of parallel calls may interleave. */
  readonly tools: Map<number, ToolCallState>;
  legacy: ToolCallState | undefined;
  finishReason: unknown;
}

/** Folds `chat.completion.chunk` objects. Choices go by `index`; chunks may lack `choices`, or hold usage only. */
export function createChatFold(): StreamFold {
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
        if (choice["logprobs"]) logprobs += logprobsIn(choice);
        addDelta(state, propertiesOf(choice["delta"]));
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
    tools: new Map(),
    legacy: undefined,
    finishReason: null,
  };
}

/** The last value that says something counts: gateways send empty ids and models before the real ones. */
function keepHead(head: Record<string, unknown>, chunk: Readonly<Record<string, unknown>>): void {
  const usage = chunk["usage"] ?? propertiesOf(chunk["x_groq"])["usage"];
  if (usage) head["usage"] = usage;
  // Every chunk of a stream has the same head: it is read once.
  if (chunk["id"] === head["id"] && chunk["model"] === head["model"]) return;
  for (const key of ["id", "model", "created", "service_tier", "system_fingerprint", "error"]) {
    if (chunk[key]) head[key] = chunk[key];
  }
}

function addDelta(state: ChoiceState, delta: Readonly<Record<string, unknown>>): void {
  const content = delta["content"];
  if (typeof content === "string") state.content = (state.content ?? "") + content;
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
    state.legacy ??= emptyCall("function");
    extendCall(state.legacy, propertiesOf(delta["function_call"]), "arguments");
  }
  if (delta["audio"]) addAudio(state, propertiesOf(delta["audio"]));
}

function emptyCall(kind: ToolCallState["kind"]): ToolCallState {
  return { id: undefined, name: undefined, arguments: "", kind };
}

function addToolCall(
  tools: Map<number, ToolCallState>,
  item: Readonly<Record<string, unknown>>,
): void {
  // Some gateways leave the index out: a call with an id is a new one then, without one it goes on.
  const index = numberOf(item["index"]) ?? Math.max(0, tools.size - (textOf(item["id"]) ? 0 : 1));
  const custom = item["custom"] !== undefined || item["type"] === "custom";
  const call = tools.get(index) ?? added(tools, index, emptyCall(custom ? "custom" : "function"));
  call.id ??= textOf(item["id"]);
  if (custom) extendCall(call, propertiesOf(item["custom"]), "input");
  else extendCall(call, propertiesOf(item["function"]), "arguments");
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
  const { role, content, refusal, reasoning, audio, legacy } = state;
  const message: Record<string, unknown> = { role, content: content ?? null };
  if (refusal !== undefined) message["refusal"] = refusal;
  if (reasoning !== undefined) message["reasoning_content"] = reasoning;
  if (audio !== undefined) message["audio"] = audio;
  if (state.tools.size > 0) {
    message["tool_calls"] = [...state.tools]
      .sort(([left], [right]) => left - right)
      .map(([, call]) => ({ id: call.id, type: call.kind, [call.kind]: calledFrom(call) }));
  }
  if (legacy !== undefined) message["function_call"] = calledFrom(legacy);
  return message;
}

function calledFrom(call: ToolCallState): Record<string, unknown> {
  return call.kind === "custom"
    ? { name: call.name, input: call.arguments }
    : { name: call.name, arguments: call.arguments };
}
