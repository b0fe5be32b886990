import { hash } from "node:crypto";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { messageOfAnthropic, partsOfAnthropic } from "../anthropic-message.ts";
import { messageOfStream } from "../anthropic-stream.ts";
import {
  countOf,
  isObject,
  listOf,
  membersOf,
  type PlainObject,
  textOf,
  timeOf,
} from "../plain-values.ts";

/** One request to the Messages API with its answer, as a proxy has logged them. */
export interface LoggedExchange {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly model: string | undefined;
  readonly body: PlainObject;
  readonly messages: readonly GenAiMessage[];
  readonly system: string;
  readonly tools: readonly unknown[];
  readonly maxTokens: number | undefined;
  /** The answer; `undefined` where none came. */
  readonly answer: PlainObject | undefined;
  readonly output: readonly GenAiMessage[];
  readonly error: { readonly type: string; readonly message?: string } | undefined;
  /** The session that the client names. */
  readonly session: string | undefined;
}

/** A line of claude-trace's log; `undefined` when it is no exchange with the Messages API. */
export function exchangeOf(line: unknown, number: number): LoggedExchange | undefined {
  const request = membersOf(membersOf(line)["request"]);
  const { body, url } = request;
  if (!isObject(body) || !Array.isArray(body["messages"])) return undefined;
  const response = membersOf(membersOf(line)["response"]);
  const answer = answerOf(response);
  const start = millisecondsOf(request["timestamp"]) ?? 0;
  const failure = membersOf(answer?.["error"]);
  const status = countOf(response["status_code"]);
  const hasFailed = status >= 400 || textOf(failure["type"]) !== undefined;
  const message = textOf(failure["message"]);
  const content = answer?.["content"];
  return {
    requestId: textOf(answer?.["id"]) ?? idOf(number, start, url, body),
    startMs: start,
    endMs: millisecondsOf(response["timestamp"]) ?? start,
    model: textOf(body["model"]),
    body,
    messages: listOf(body["messages"]).map((one) => {
      const { role, content } = membersOf(one);
      return messageOfAnthropic(textOf(role) ?? "user", content);
    }),
    system: partsOfAnthropic(body["system"])
      .map((part) => String((part as { content?: unknown }).content ?? ""))
      .join("\n\n"),
    tools: listOf(body["tools"]),
    maxTokens: typeof body["max_tokens"] === "number" ? body["max_tokens"] : undefined,
    answer,
    output: Array.isArray(content) ? [{ role: "assistant", parts: partsOfAnthropic(content) }] : [],
    error: hasFailed
      ? {
          type: textOf(failure["type"]) ?? String(status),
          ...(message !== undefined && { message }),
        }
      : undefined,
    session: /_session_([\w-]+)$/.exec(textOf(membersOf(body["metadata"])["user_id"]) ?? "")?.[1],
  };
}

function answerOf({ body, body_raw: raw }: PlainObject): PlainObject | undefined {
  if (isObject(body)) return body;
  return typeof raw === "string" && raw !== "" ? messageOfStream(raw) : undefined;
}

/** Seconds since 1970, or an ISO time. */
function millisecondsOf(time: unknown): number | undefined {
  if (typeof time === "number" && time > 0) return Math.round(time < 1e11 ? time * 1000 : time);
  return timeOf(time);
}

function idOf(number: number, start: number, ...told: readonly unknown[]): string {
  const words = JSON.stringify([number, start, told]);
  return `req_${hash("sha256", words).slice(0, 16)}`;
}
