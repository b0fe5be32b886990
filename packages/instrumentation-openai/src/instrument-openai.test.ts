import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { loadExchanges, toExchange } from "@thoughtflow/testkit";
import { withSession } from "@thoughtflow/tracing";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import {
  completion,
  named,
  observe,
  replay,
  roots,
  structure,
} from "../testing/observed-openai.ts";

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;

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
    observe({
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
