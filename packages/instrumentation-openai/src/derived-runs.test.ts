import { loadExchanges } from "@thoughtflow/testkit";
import { withToolCall } from "@thoughtflow/tracing";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import {
  calling,
  completion,
  exporter,
  named,
  observe,
  provider,
  replay,
  roots,
  structure,
} from "../testing/observed-openai.ts";
import { endOpenRuns } from "./derived-runs.ts";

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;

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
    observe({ runIdleMs: 20 });
    const spans = await replay([completion(calling("call_x"))], async (client) => {
      await client.chat.completions.create({ model: "m", messages: [] });
      await new Promise((resolve) => setTimeout(resolve, 60));
    });
    const [root] = roots(spans);
    expect(root?.endTime).toEqual(named(spans, "chat m")[0]?.endTime);
  });

  it("ends when nobody looks for tool results any more", async () => {
    const spans = await replay([completion(calling("call_x"))], async (client) => {
      await client.chat.completions.create({ model: "m", messages: [] });
      observe({});
    });
    expect(roots(spans)[0]?.endTime).toEqual(named(spans, "chat m")[0]?.endTime);
  });

  it("ends with a program that ends by itself, before its own listeners shut its provider down", async () => {
    const seen: number[] = [];
    const shutDown = () => seen.push(roots(exporter.getFinishedSpans()).length);
    process.on("beforeExit", shutDown);
    await replay([completion(calling("call_x"))], async (client) => {
      await client.chat.completions.create({ model: "m", messages: [] });
      for (const listener of process.listeners("beforeExit")) listener.call(process, 0);
    });
    process.off("beforeExit", shutDown);
    expect(seen).toEqual([1]);
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
    observe({ derivedRuns: false });
    const alone = await replay([completion({ content: "a" })], (client) =>
      client.chat.completions.create({ model: "m", messages: [] }),
    );
    expect(alone.map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
      ["chat m", undefined],
    ]);
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
