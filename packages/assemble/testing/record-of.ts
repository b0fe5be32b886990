import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";

/** Records for tests, from the few words that matter in them. Times are seconds after 2026-01-01. */
export interface RecordWords {
  readonly id: string;
  readonly trace?: string;
  readonly parent?: string;
  readonly at?: number;
  readonly until?: number;
  readonly open?: boolean;
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly content?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly more?: Partial<SpanRecord>;
}

const EPOCH = 1_767_225_600n * 1_000_000_000n;

export function recordOf(words: RecordWords): SpanRecord {
  const { id, trace = "1", parent, at = 0, until = at + 1, open = false, error } = words;
  return {
    type: open ? "span_start" : "span_end",
    traceId: trace.padStart(32, "0"),
    spanId: id.padStart(16, "0"),
    ...(parent !== undefined && { parentSpanId: parent.padStart(16, "0") }),
    name: words.name ?? `span ${id}`,
    kind: "internal",
    startTimeUnixNano: nanoseconds(at),
    ...(!open && { endTimeUnixNano: nanoseconds(until) }),
    status: error === undefined ? { code: "unset" } : { code: "error", message: error },
    attributes: { "session.id": "s", ...words.attributes },
    content: Object.fromEntries(
      Object.entries(words.content ?? {}).map(([name, value]) => [name, pieces(value)]),
    ),
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
    ...words.more,
  };
}

/** A model call with its messages. */
export function callOf(
  words: RecordWords,
  input: readonly GenAiMessage[],
  output: readonly GenAiMessage[] = [],
): SpanRecord {
  return recordOf({
    ...words,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5-mini",
      "openai.api.type": "chat_completions",
      ...words.attributes,
    },
    content: {
      "gen_ai.input.messages": input,
      ...(output.length > 0 && { "gen_ai.output.messages": output }),
      ...words.content,
    },
  });
}

/** What a program says that a step rests on. */
export function restsOn(to: string, type: string, origin: string, confidence?: string): Attributes {
  return {
    "thoughtflow.depends_on": [to],
    "thoughtflow.depends_on.types": [type],
    "thoughtflow.depends_on.origins": [origin],
    ...(confidence !== undefined && { "thoughtflow.depends_on.confidences": [confidence] }),
  };
}

export function say(role: string, ...parts: readonly (string | GenAiPart)[]): GenAiMessage {
  return {
    role,
    parts: parts.map((part) => (typeof part === "string" ? { type: "text", content: part } : part)),
  };
}

export function asks(id: string, name: string, args: unknown): GenAiPart {
  return { type: "tool_call", id, name, arguments: args };
}

export function gives(id: string, response: unknown): GenAiMessage {
  return { role: "tool", parts: [{ type: "tool_call_response", id, response }] };
}

function pieces(value: unknown): string | readonly string[] {
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : JSON.stringify(value);
}

function nanoseconds(seconds: number): string {
  return String(EPOCH + BigInt(Math.round(seconds * 1000)) * 1_000_000n);
}
