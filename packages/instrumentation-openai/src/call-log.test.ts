import { trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange } from "@thoughtflow/testkit";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import type { CallLoggerProvider } from "./call-logger-provider.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import type { OpenAIInstrumentationOptions } from "./options.ts";

type Emitted = Parameters<ReturnType<CallLoggerProvider["getLogger"]>["emit"]>[0];

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});

afterEach(() => {
  exporter.reset();
});

/** The log records of one call. */
async function logged(
  exchange: Exchange,
  options: OpenAIInstrumentationOptions,
): Promise<readonly Emitted[]> {
  const records: Emitted[] = [];
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const loggerProvider: CallLoggerProvider = {
    getLogger: () => ({
      emit: (record) => {
        records.push(record);
        tell();
      },
    }),
  };
  const unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider,
    loggerProvider,
    derivedRuns: false,
    ...options,
  });
  await using server = await createReplayServer([exchange]);
  const openai = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
  await openai.chat.completions
    .create({
      model: "m",
      messages: [{ role: "user", content: "Is sk-proj-a1b2c3d4e5f6g7h8i9 safe?" }],
    })
    .catch(() => undefined);
  unpatch();
  if (options.captureContentInLogs) await told;
  return records;
}

const answer = toExchange("/v1/chat/completions", {
  id: "c1",
  model: "m-1",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "No." } }],
  usage: { prompt_tokens: 8, completion_tokens: 2 },
});

test("a record has what the span has, its content as values, and knows its span", async () => {
  const [record, ...more] = await logged(answer, { captureContentInLogs: true });
  const [span] = exporter.getFinishedSpans();
  expect(more).toEqual([]);
  expect(record).toMatchObject({
    eventName: "gen_ai.client.inference.operation.details",
    severityNumber: 5,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.response.model": "m-1",
      "gen_ai.usage.input_tokens": 8,
      "gen_ai.input.messages": [
        { role: "user", parts: [{ type: "text", content: "Is [redacted: api_key] safe?" }] },
      ],
      "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: "No." }] }],
    },
  });
  expect(record && trace.getSpanContext(record.context)?.spanId).toBe(span?.spanContext().spanId);
});

test("its content may be of some kinds only, and without the switch there is no record", async () => {
  const [record] = await logged(answer, { captureContentInLogs: ["output"] });
  expect(JSON.stringify(record?.attributes)).toContain("No.");
  expect(JSON.stringify(record?.attributes)).not.toContain("safe");
  expect(await logged(answer, {})).toEqual([]);
});

const refusal = toExchange(
  "/v1/chat/completions",
  { error: { message: "You said: Is it safe?", code: "bad_words", param: "messages" } },
  { status: 400 },
);

test("what a provider says in an error is on the span only with all content", async () => {
  const statusWith = async (
    captureContentOnSpans: NonNullable<OpenAIInstrumentationOptions["captureContentOnSpans"]>,
  ) => {
    exporter.reset();
    await logged(refusal, { captureContentOnSpans });
    return exporter.getFinishedSpans()[0]?.status.message;
  };
  expect(await statusWith(true)).toBe("400 You said: Is it safe?");
  expect(await statusWith(false)).toBe("bad_words at messages (25 characters)");
  expect(await statusWith(["input", "output"])).toBe("bad_words at messages (25 characters)");
});
