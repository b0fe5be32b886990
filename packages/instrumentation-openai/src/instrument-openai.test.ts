import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange, ReplayServerOptions } from "@thoughtflow/testkit";
import { createReplayServer, loadExchanges, toExchange } from "@thoughtflow/testkit";
import { withSession, withToolCall } from "@thoughtflow/tracing";
import { createSessionInference } from "@thoughtflow/workflow";
import OpenAI from "openai";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import type { Unpatch } from "./replace-method.ts";

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let unpatch: Unpatch;

beforeAll(() => provider.register());

beforeEach(() => {
  unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider: provider,
    captureContentOnSpans: true,
    sessionInference: createSessionInference(),
  });
});

afterEach(() => {
  endOpenRuns();
  unpatch();
  exporter.reset();
});

async function replay(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<unknown>,
  options: ReplayServerOptions = {},
): Promise<readonly ReadableSpan[]> {
  await using server = await createReplayServer(exchanges, options);
  await app(new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 1 }));
  return [...exporter.getFinishedSpans()];
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name);

const roots = (spans: readonly ReadableSpan[]): ReadableSpan[] => named(spans, "invoke_agent");

const structure = (span: ReadableSpan | undefined) =>
  JSON.parse(String(span?.attributes["thoughtflow.messages"]));

const completion = (message: object, more: object = {}): Exchange =>
  toExchange("/v1/chat/completions", {
    id: "chatcmpl_1",
    model: "m-1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
    ...more,
  });

const calling = (id: string): object => ({
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "add", arguments: "{}" } }],
});

describe("a run", () => {
  it("is one trace for a tool loop, and ends with the answer that asks for no tool", async () => {
    const exchanges = loadExchanges("simonw-llm/chat-tool-chain");
    const spans = await replay(exchanges, async (client) => {
      for (const { request } of exchanges) {
        await client.chat.completions.create(request.body as Chat);
      }
    });
    const [root] = roots(spans);
    const calls = spans.filter((span) => span !== root);
    expect(calls.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      exchanges.map(() => root?.spanContext().spanId),
    );
    expect(root?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "thoughtflow.origin": "derived",
      "session.id": `s_${root?.spanContext().traceId}`,
    });
    expect(root?.endTime).toEqual(calls.at(-1)?.endTime);
    expect(calls.map((call) => structure(call).continues)).toEqual([
      undefined,
      calls[0]?.spanContext().spanId,
      calls[1]?.spanContext().spanId,
    ]);
  });

  it("goes on by previous_response_id while the answer waits for a tool", async () => {
    const exchanges = loadExchanges("pydantic-ai-openai/responses-stream-tool-loop");
    const spans = await replay(exchanges, async (client) => {
      let previous: string | undefined;
      for (const { request } of exchanges) {
        const { input, ...rest } = request.body as OpenAI.Responses.ResponseCreateParamsStreaming;
        const stream = await client.responses.create({
          ...rest,
          input: previous === undefined ? (input ?? "") : "the tool said so",
          previous_response_id: previous ?? null,
        });
        for await (const event of stream) {
          if (event.type === "response.completed") previous = event.response.id;
        }
      }
    });
    expect(roots(spans)).toHaveLength(1);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(spans.map(({ attributes }) => attributes["gen_ai.response.finish_reasons"])).toEqual([
      ["tool_call"],
      ["stop"],
      undefined,
    ]);
  });

  it("waits for tool results that never come until it is idle, and then ends at its last call's end", async () => {
    unpatch();
    unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider, runIdleMs: 20 });
    const spans = await replay([completion(calling("call_x"))], async (client) => {
      await client.chat.completions.create({ model: "m", messages: [] });
      await new Promise((resolve) => setTimeout(resolve, 60));
    });
    const [root] = roots(spans);
    expect(root?.endTime).toEqual(named(spans, "chat m")[0]?.endTime);
  });

  it("is aborted where the process was, while it waited for its tools", async () => {
    const spans = await replay([completion(calling("call_x"))], async (client) => {
      await client.chat.completions.create({ model: "m", messages: [] });
      endOpenRuns("aborted");
    });
    expect(roots(spans)[0]?.attributes).toMatchObject({ "thoughtflow.run.status": "aborted" });
  });

  it("fails with the call that failed", async () => {
    const spans = await replay(loadExchanges("otel-contrib-py/chat-404"), (client) =>
      client.chat.completions.create({ model: "m", messages: [] }).catch(() => {}),
    );
    const attributes = { "error.type": "model_not_found", "http.response.status_code": 404 };
    expect(roots(spans)[0]).toMatchObject({ status: { code: 2 }, attributes });
    expect(named(spans, "chat m")[0]).toMatchObject({
      status: { code: 2, message: expect.stringContaining("404") },
      attributes: { ...attributes, "thoughtflow.outcome": "error" },
    });
  });

  it("is told apart by its history where the call ids say nothing, and found by it where there are none", async () => {
    const legacy = { content: null, function_call: { name: "add", arguments: "{}" } };
    const asks = [calling("0"), calling("0"), { content: "a" }, { content: "b" }];
    const spans = await replay(
      [...asks, legacy, { content: "c" }].map((message) => completion(message)),
      async (client) => {
        const ask = async (messages: unknown[]) => {
          const { choices } = await client.chat.completions.create({
            model: "m",
            messages: [...messages] as OpenAI.ChatCompletionMessageParam[],
          });
          messages.push(choices[0]?.message);
        };
        const user = (content: string) => [{ role: "user", content }];
        const histories: unknown[][] = [user("one"), user("two")];
        for (const history of histories) await ask(history);
        for (const history of histories) {
          history.push({ role: "tool", tool_call_id: "0", content: "1" });
          await ask(history);
        }
        const old: unknown[] = user("three");
        await ask(old);
        old.push({ role: "function", name: "add", content: "1" });
        await ask(old);
      },
    );
    const traces = named(spans, "chat m").map((span) => span.spanContext().traceId);
    expect(traces).toEqual([traces[0], traces[1], traces[0], traces[1], traces[4], traces[4]]);
    expect(roots(spans)).toHaveLength(3);
  });

  it("is the caller's span where there is one, and nothing where derived runs are off", async () => {
    const tracer = provider.getTracer("app");
    const below = await replay([completion({ content: "a" })], (client) =>
      tracer.startActiveSpan("mine", async (span) => {
        await client.chat.completions.create({ model: "m", messages: [] });
        span.end();
      }),
    );
    expect(below.map(({ name }) => name)).toEqual(["chat m", "mine"]);
    exporter.reset();
    unpatch();
    unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider, derivedRuns: false });
    const alone = await replay([completion({ content: "a" })], (client) =>
      client.chat.completions.create({ model: "m", messages: [] }),
    );
    expect(alone.map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
      ["chat m", undefined],
    ]);
  });
});

describe("a session", () => {
  it("holds the runs of a conversation, and keeps two interleaved conversations apart", async () => {
    const turns = (answer: string) => completion({ content: answer });
    const spans = await replay(
      [turns("a1"), turns("b1"), turns("a2"), turns("b2")],
      async (client) => {
        const ask = async (messages: OpenAI.ChatCompletionMessageParam[], content: string) => {
          messages.push({ role: "user", content });
          const { choices } = await client.chat.completions.create({ model: "m", messages });
          for (const { message } of choices) messages.push(message);
        };
        const left: OpenAI.ChatCompletionMessageParam[] = [];
        const right: OpenAI.ChatCompletionMessageParam[] = [];
        await ask(left, "hello");
        await ask(right, "hello");
        await ask(left, "go on");
        await ask(right, "go on");
      },
    );
    const calls = named(spans, "chat m");
    const sessions = calls.map(({ attributes }) => attributes["session.id"]);
    expect(sessions).toEqual([sessions[0], sessions[1], sessions[0], sessions[1]]);
    expect(sessions[0]).not.toBe(sessions[1]);
    expect(calls[2]?.attributes["thoughtflow.session.origin"]).toBe("inferred");
    expect(structure(calls[2])).toEqual({
      continues: calls[0]?.spanContext().spanId,
      known: 2,
      input: [{ role: "user", parts: [{ type: "text", length: 5 }] }],
      output: [{ role: "assistant", parts: [{ type: "text", length: 2 }] }],
    });
    expect(new Set(roots(spans).map(({ attributes }) => attributes["session.id"]))).toEqual(
      new Set(sessions),
    );
  });

  it("is the program's own where it declares one, whatever the history says", async () => {
    const spans = await replay([completion({ content: "a" })], (client) =>
      withSession({ id: "mine" }, () =>
        client.chat.completions.create({ model: "m", messages: [] }),
      ),
    );
    const declared = { "session.id": "mine", "thoughtflow.session.origin": "declared" };
    expect(spans.map(({ attributes }) => attributes)).toMatchObject([declared, declared]);
  });

  it("is OpenAI's conversation where the call names one", async () => {
    const [, exchange] = loadExchanges("pydantic-ai-openai/responses-conversation");
    const spans = await replay(exchange === undefined ? [] : [exchange], (client) =>
      client.responses.create({ model: "m", input: "x", conversation: { id: "conv_1" } }),
    );
    expect(named(spans, "chat m")[0]?.attributes).toMatchObject({
      "gen_ai.conversation.id": "conv_1",
      "session.id": "conv_1",
      "thoughtflow.session.origin": "observed",
    });
  });
});

describe("a span", () => {
  it("has what was asked and answered, in the names of the conventions", async () => {
    const [exchange] = loadExchanges("openllmetry-py-core/chat-tools-parallel");
    if (exchange === undefined) throw new Error("the recording is empty");
    const spans = await replay([exchange], (client) =>
      client.chat.completions.create(exchange.request.body as Chat),
    );
    const [call] = spans;
    const { usage, id } = JSON.parse(exchange.response.body);
    expect(call?.kind).toBe(2);
    expect(call?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-3.5-turbo",
      "gen_ai.response.model": "gpt-3.5-turbo-0125",
      "gen_ai.response.id": id,
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.usage.input_tokens": usage.prompt_tokens,
      "gen_ai.usage.output_tokens": usage.completion_tokens,
      "server.address": "127.0.0.1",
      "http.response.status_code": 200,
      "openai.api.type": "chat_completions",
    });
    expect(JSON.parse(String(call?.attributes["gen_ai.input.messages"]))).toEqual([
      {
        role: "user",
        parts: [{ type: "text", content: "What's the weather like in San Francisco and Boston?" }],
      },
    ]);
  });

  it("keeps what came of a stream that was given up", async () => {
    const spans = await replay(
      loadExchanges("otel-contrib-py/chat-stream-usage-only-chunk"),
      async (client) => {
        const stream = await client.chat.completions.create({
          model: "m",
          messages: [],
          stream: true,
        });
        let text = "";
        for await (const { choices } of stream) {
          text += choices[0]?.delta.content ?? "";
          if (text.length > 3) break;
        }
      },
      { pieceDelayMs: 2 },
    );
    const [call] = spans;
    expect(call?.attributes["thoughtflow.outcome"]).toBe("cancelled");
    expect(roots(spans)[0]?.attributes["thoughtflow.run.status"]).toBe("aborted");
    expect(call?.attributes["gen_ai.response.time_to_first_chunk"]).toBeLessThan(5);
    expect(structure(call).output).toHaveLength(1);
  });

  it("says failed when the response does, though its HTTP status is 200", async () => {
    const failed = {
      id: "resp_1",
      object: "response",
      status: "failed",
      model: "m",
      error: { code: "server_error", message: "no luck" },
      output: [],
    };
    const spans = await replay([toExchange("/v1/responses", failed)], (client) =>
      client.responses.create({ model: "m", input: "x" }),
    );
    expect(named(spans, "chat m")[0]).toMatchObject({
      status: { code: 2, message: "no luck" },
      attributes: { "error.type": "server_error", "gen_ai.response.status": "failed" },
    });
  });

  it("sees the list of messages as it was at the call, whatever the app appends afterwards", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "one" }];
    const spans = await replay([completion({ content: "a" })], async (client) => {
      const promise = client.chat.completions.create({ model: "m", messages });
      messages.push({ role: "user", content: "two" });
      await promise;
    });
    expect(structure(named(spans, "chat m")[0]).input).toHaveLength(1);
  });

  it("reads a message one macrotask after the call: changes before are seen, changes after are not", async () => {
    const early = { role: "user" as const, content: [{ type: "text" as const, text: "one" }] };
    const late = { role: "user" as const, content: [{ type: "text" as const, text: "one" }] };
    const spans = await replay([completion({ content: "a" })], async (client) => {
      const promise = client.chat.completions.create({ model: "m", messages: [early, late] });
      for (const part of early.content) part.text = "two";
      await new Promise((resolve) => setImmediate(resolve));
      for (const part of late.content) part.text = "two";
      await promise;
    });
    const input = named(spans, "chat m")[0]?.attributes["gen_ai.input.messages"];
    expect(JSON.parse(String(input))).toEqual(
      ["two", "one"].map((content) => ({ role: "user", parts: [{ type: "text", content }] })),
    );
  });

  it("is told to the sink, start and end, where the application owns the provider", async () => {
    const told: string[] = [];
    unpatch();
    unpatch = instrumentOpenAI(OpenAI, {
      tracerProvider: provider,
      sink: {
        onStart: (span) => told.push(`start ${(span as unknown as ReadableSpan).name}`),
        onEnd: (span) => told.push(`end ${(span as unknown as ReadableSpan).name}`),
      },
    });
    await replay([completion({ content: "a" })], (client) =>
      client.chat.completions.create({ model: "m", messages: [] }),
    );
    expect(told).toEqual(["start invoke_agent", "start chat m", "end chat m", "end invoke_agent"]);
  });
});

it("a call without a history belongs where its trace does", async () => {
  const exchanges = loadExchanges("openllmetry-py-core/embeddings-base64").slice(0, 2);
  const input = { model: "text-embedding-ada-002", input: "hi" };
  const spans = await replay(exchanges, async (client) => {
    await provider.getTracer("app").startActiveSpan("request", async (request) => {
      await client.embeddings.create(input);
      request.end();
    });
    await client.embeddings.create(input);
  });
  const [inside, alone] = spans.filter((span) => span.name.startsWith("embeddings"));
  expect(inside?.attributes).not.toHaveProperty("session.id");
  expect(alone?.attributes["session.id"]).toBe(`misc_${alone?.spanContext().traceId}`);
});

it("a tool that the program wraps joins the run of the call that asked for it", async () => {
  const exchanges = loadExchanges("simonw-llm/chat-tool-chain");
  const spans = await replay(exchanges, async (client) => {
    for (const { request } of exchanges) {
      const { choices } = await client.chat.completions.create(request.body as Chat);
      for (const { id } of choices[0]?.message.tool_calls ?? []) {
        await withToolCall({ name: "tool", callId: id }, async () => "done");
      }
    }
  });
  const [root] = roots(spans);
  const tools = spans.filter((span) => span.name === "execute_tool tool");
  expect(tools.length).toBeGreaterThan(0);
  for (const tool of tools) {
    expect(tool.parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
  }
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
});

it("a call is linked to the one whose answer it goes on from", async () => {
  const exchanges = loadExchanges("simonw-llm/chat-tool-chain");
  const spans = await replay(exchanges, async (client) => {
    for (const { request } of exchanges) {
      await client.chat.completions.create(request.body as Chat);
    }
  });
  const calls = spans.filter((span) => span.name.startsWith("chat"));
  expect(calls.length).toBeGreaterThan(2);
  const attributes = {
    "thoughtflow.link.type": "continues",
    "thoughtflow.edge.origin": "observed",
    "gen_ai.attribution.link_type": "INFORMED_BY",
    from: "output",
    to: "input",
  };
  expect(
    calls.map(({ links }) => links.map((link) => [link.context.spanId, link.attributes])),
  ).toEqual([[], ...calls.slice(0, -1).map((call) => [[call.spanContext().spanId, attributes]])]);
});
