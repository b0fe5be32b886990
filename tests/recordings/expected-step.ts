import type { Exchange } from "@thoughtflow/testkit";
import { type SdkCall, sdkCall } from "./sdk-call.ts";

/** What the step of an exchange must say, read from the exchange itself and nothing of ours. */
export interface ExpectedStep {
  readonly call: SdkCall;
  /** Absent: the exchange leaves no step of its own. */
  readonly label: string | undefined;
  readonly body: Record<string, unknown>;
  readonly failed: boolean;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly cachedTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  readonly responseId: string | undefined;
  readonly responseModel: string | undefined;
  readonly toolCallIds: readonly string[];
  /** In the conventions' spelling; only for chat, whose choices say it themselves. */
  readonly finishReasons: readonly string[] | undefined;
  /** The answer in words, where it is one text. */
  readonly text: string | undefined;
  /** How many pieces a stream came in. */
  readonly chunks: number | undefined;
}

/** Every method that leaves a step, by the table of `docs/endpoints.md`; what is no method of the SDK is `generic`. */
const LABELS: Readonly<Record<string, string>> = {
  "chat.completions.create": "assistant_call",
  "responses.create": "assistant_call",
  "responses.compact": "assistant_call",
  "completions.create": "assistant_call",
  "embeddings.create": "embedding",
  "images.generate": "assistant_call",
  "images.edit": "assistant_call",
  "audio.transcriptions.create": "assistant_call",
  "conversations.create": "memory_write",
  get: "generic",
};

/** The steps of one recording, in wire order. An answer that is fetched later is told by the call that asked for it. */
export function expectedSteps(exchanges: readonly Exchange[]): ExpectedStep[] {
  const steps: ExpectedStep[] = [];
  for (const exchange of exchanges) {
    const step = expectedStep(exchange);
    steps.push(step);
    if (step.call.method !== "responses.retrieve" || isPending(exchange)) continue;
    const asked = steps.findIndex(({ label, responseId }) => label !== undefined && responseId === step.responseId);
    const call = steps[asked];
    if (call === undefined) {
      steps[steps.length - 1] = { ...step, label: "assistant_call" };
    } else {
      const { call: made, label, body } = call;
      steps[asked] = { ...step, call: made, label, body };
    }
  }
  return steps;
}

function expectedStep(exchange: Exchange): ExpectedStep {
  const { request, response, stream } = exchange;
  const call = sdkCall(exchange);
  const events = bodiesIn(exchange);
  const bodies = events.map((event) => (isObject(event["response"]) ? event["response"] : event));
  const usage = bodies.map(usageOf).findLast(isObject) ?? {};
  const failed = response.status >= 400 || events.some(isFailure) || bodies.some((body) => body["status"] === "failed");
  const isChat = call.method === "chat.completions.create";
  const hasId = isChat || /^(responses|completions)\./.test(call.method);
  return {
    call,
    label: LABELS[call.method],
    body: isObject(request.body) ? { ...request.body } : {},
    failed,
    status: response.status,
    errorCode: response.status < 400 ? undefined : textOf(objectOf(events[0]?.["error"])["code"]),
    inputTokens: numberOf(usage["prompt_tokens"] ?? usage["input_tokens"]),
    outputTokens: numberOf(usage["completion_tokens"] ?? usage["output_tokens"]),
    cachedTokens: numberOf(
      objectOf(usage["prompt_tokens_details"] ?? usage["input_tokens_details"])["cached_tokens"] ??
        usage["prompt_cache_hit_tokens"],
    ),
    reasoningTokens: numberOf(
      objectOf(usage["completion_tokens_details"] ?? usage["output_tokens_details"])["reasoning_tokens"],
    ),
    responseId: hasId ? bodies.map((body) => body["id"]).findLast(isName) : undefined,
    responseModel: bodies.map((body) => body["model"]).findLast(isName),
    toolCallIds: call.method === "responses.compact" ? [] : [...new Set(bodies.flatMap(toolCallIds))],
    finishReasons: isChat && !failed ? finishReasons(bodies) : undefined,
    text: isChat && !failed ? chatText(bodies) : undefined,
    chunks: stream && response.status < 400 && !failed ? events.length : undefined,
  };
}

/** Whether the answer is not there yet: who gets it asks again. */
function isPending(exchange: Exchange): boolean {
  const [first] = bodiesIn(exchange);
  return !exchange.stream && ["queued", "in_progress"].includes(String(first?.["status"]));
}

function bodiesIn({ response, stream }: Exchange): Record<string, unknown>[] {
  return stream ? eventsOf(response.body) : [jsonOf(response.body)].filter(isObject);
}

function isFailure(event: Record<string, unknown>): boolean {
  return event["type"] === "error" || event["type"] === "response.failed" || isObject(event["error"]);
}

/** The words of the only choice. */
function chatText(bodies: readonly Record<string, unknown>[]): string | undefined {
  const choices = bodies.flatMap((body) => listOf(body["choices"]));
  if (choices.some(({ index }) => index !== undefined && index !== 0)) return undefined;
  const said = choices.map((choice) => objectOf(choice["message"] ?? choice["delta"])["content"]);
  const text = said.filter((piece) => typeof piece === "string").join("");
  return text === "" ? undefined : text;
}

/** In the API's own words. */
function finishReasons(bodies: readonly Record<string, unknown>[]): string[] | undefined {
  const byChoice: string[] = [];
  for (const choice of bodies.flatMap((body) => listOf(body["choices"]))) {
    const { index = 0, finish_reason: reason } = choice;
    if (typeof reason !== "string") continue;
    byChoice[Number(index)] = reason;
  }
  return byChoice.length > 0 ? Array.from(byChoice, (reason) => reason ?? "") : undefined;
}

function toolCallIds(body: Record<string, unknown>): string[] {
  const choices = listOf(body["choices"]).flatMap((choice) => [choice["message"], choice["delta"]]).filter(isObject);
  const calls = choices.flatMap((message) => listOf(message["tool_calls"]));
  const items = listOf(body["output"]).filter((item) => item["type"] === "function_call");
  return [...calls.map((call) => call["id"]), ...items.map((item) => item["call_id"])].filter(isName);
}

function eventsOf(sse: string): Record<string, unknown>[] {
  return sse
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => jsonOf(line.slice(5)))
    .filter(isObject);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Groq puts the usage of a stream under a name of its own. */
function usageOf(body: Record<string, unknown>): unknown {
  const { usage, x_groq: groq } = body;
  return usage ?? (isObject(groq) ? groq["usage"] : undefined);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return isName(value) ? value : undefined;
}
