import type { Exchange } from "@thoughtflow/testkit";

/** What a step of an exchange must say, read from the exchange itself and nothing of ours. */
export interface ExpectedCall {
  readonly api: "chat" | "responses" | "completions" | "embeddings";
  readonly body: Record<string, unknown>;
  readonly failed: boolean;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly responseModel: string | undefined;
  readonly toolCallIds: readonly string[];
  /** In the conventions' spelling; only for chat, whose choices say it themselves. */
  readonly finishReasons: readonly string[] | undefined;
}

const APIS: readonly (readonly [RegExp, ExpectedCall["api"]])[] = [
  [/\/chat\/completions(\?|$)/, "chat"],
  [/\/responses(\?|$)/, "responses"],
  [/(?<!chat)\/completions(\?|$)/, "completions"],
  [/\/embeddings(\?|$)/, "embeddings"],
];

/** `undefined` for exchanges of other endpoints. */
export function expectedCall({ method, path, request, response, stream }: Exchange): ExpectedCall | undefined {
  const api = APIS.find(([pattern]) => pattern.test(path))?.[1];
  const { body } = request;
  if (method !== "POST" || api === undefined || !isObject(body)) return undefined;
  const events = stream ? eventsOf(response.body) : [jsonOf(response.body)].filter(isObject);
  const bodies = events.map((event) => (isObject(event["response"]) ? event["response"] : event));
  const usage = bodies.map(usageOf).findLast(isObject);
  const failed =
    response.status >= 400 ||
    events.some((event) => event["type"] === "error" || event["type"] === "response.failed" || isObject(event["error"])) ||
    bodies.some((event) => event["status"] === "failed");
  return {
    api,
    body: { ...body },
    failed,
    inputTokens: numberOf(usage?.["prompt_tokens"] ?? usage?.["input_tokens"]),
    outputTokens: numberOf(usage?.["completion_tokens"] ?? usage?.["output_tokens"]),
    responseModel: bodies.map((event) => event["model"]).findLast(isName),
    toolCallIds: [...new Set(bodies.flatMap(toolCallIds))],
    finishReasons: api === "chat" && !failed ? finishReasons(bodies) : undefined,
  };
}

function finishReasons(bodies: readonly Record<string, unknown>[]): string[] | undefined {
  const byChoice: string[] = [];
  for (const choice of bodies.flatMap((body) => listOf(body["choices"]))) {
    const { index = 0, finish_reason: reason } = choice;
    if (typeof reason !== "string") continue;
    byChoice[Number(index)] = reason === "tool_calls" || reason === "function_call" ? "tool_call" : reason;
  }
  return byChoice.length > 0 ? byChoice : undefined;
}

function toolCallIds(body: Record<string, unknown>): string[] {
  const choices = listOf(body["choices"]).flatMap((choice) => [choice["message"], choice["delta"]]).filter(isObject);
  const calls = choices.flatMap((message) => listOf(message["tool_calls"]));
  const items = listOf(body["output"]).filter((item) => item["type"] === "function_call");
  return [...calls.map((call) => call["id"]), ...items.map((item) => item["call_id"])].filter(
    (id): id is string => typeof id === "string" && id !== "",
  );
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
