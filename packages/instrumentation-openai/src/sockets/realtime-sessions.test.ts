import { once } from "node:events";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { describe, expect, it, vi } from "vitest";
import {
  exporter,
  messages,
  PlainWebSocket,
  provider,
  serve,
} from "../../testing/observed-sockets.ts";
import { instrumentOpenAI } from "../instrument-openai.ts";

const spoken = {
  id: "resp_1",
  status: "completed",
  output: [
    {
      type: "message",
      role: "assistant",
      content: [{ type: "output_audio", transcript: "Hello!" }],
    },
    { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" },
  ],
  usage: {
    input_tokens: 30,
    output_tokens: 12,
    input_token_details: { cached_tokens: 8, audio_tokens: 20 },
    output_token_details: { audio_tokens: 10 },
  },
};

const realtime = {
  open: [
    {
      type: "session.created",
      session: {
        model: "gpt-realtime",
        instructions: "Be kind.",
        tools: [{ type: "function", name: "look" }],
      },
    },
  ],
  "response.create": [
    {
      type: "conversation.item.added",
      item: {
        type: "message",
        role: "user",
        content: [{ type: "input_audio", transcript: "Hi." }],
      },
    },
    { type: "response.created", response: { id: "resp_1", status: "in_progress" } },
    {
      type: "response.output_audio_transcript.delta",
      response_id: "resp_1",
      item_id: "i",
      delta: "Hel",
    },
    { type: "response.done", response: spoken },
  ],
};

describe("a realtime session", () => {
  it.each([
    ["ws", OpenAIRealtimeWS],
    ["the platform's WebSocket", OpenAIRealtimeWebSocket],
  ])("over %s is a span with one below it for each response", async (_, Socket) => {
    await using server = await serve(realtime);
    vi.stubGlobal("WebSocket", PlainWebSocket);
    const props = { model: "gpt-realtime", options: server.options };
    const socket = new Socket(props, server.client);
    const seen: string[] = [];
    socket.on("event", ({ type }) => seen.push(type));
    await new Promise<void>((resolve) => {
      socket.on("session.created", () => socket.send({ type: "response.create" }));
      socket.on("response.done", () => resolve());
    });
    const closed = new Promise<void>((resolve) =>
      (socket.socket as globalThis.WebSocket).addEventListener("close", () => resolve()),
    );
    socket.close();
    await closed;
    expect(seen).toEqual(
      [...realtime.open, ...realtime["response.create"]].map(({ type }) => type),
    );
    const [response, session] = exporter.getFinishedSpans();
    expect(session?.name).toBe("realtime_session gpt-realtime");
    expect(response?.parentSpanContext?.spanId).toBe(session?.spanContext().spanId);
    expect(response?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.response.id": "resp_1",
      "gen_ai.usage.input_tokens": 30,
      "gen_ai.usage.output_tokens": 12,
      "gen_ai.usage.cache_read.input_tokens": 8,
      "gen_ai.usage.audio.input_tokens": 20,
      "gen_ai.usage.audio.output_tokens": 10,
    });
    expect(response?.name).toBe("chat gpt-realtime");
    expect(response?.attributes["gen_ai.response.finish_reasons"]).toEqual(["tool_call"]);
    expect(messages(response, "system_instructions")).toEqual([
      { type: "text", content: "Be kind." },
    ]);
    expect(messages(response, "input.messages")).toEqual([
      { role: "user", parts: [{ type: "text", content: "Hi." }] },
    ]);
    expect(messages(response, "output.messages")).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "text", content: "Hello!" },
          { type: "tool_call", id: "call_1", name: "look", arguments: {} },
        ],
      },
    ]);
  });

  it("that is cut in the middle of a response ends both, with what was said until then", async () => {
    const { open, "response.create": answer } = realtime;
    const server = await serve({ open, "response.create": answer.slice(0, 3) });
    const props = { model: "gpt-realtime", options: server.options };
    const socket = new OpenAIRealtimeWS(props, server.client);
    socket.on("error", () => {});
    await new Promise<void>((resolve) => {
      socket.on("session.created", () => socket.send({ type: "response.create" }));
      socket.on("response.output_audio_transcript.delta", () => resolve());
    });
    const closed = once(socket.socket, "close");
    await server[Symbol.asyncDispose]();
    await closed;
    const [response, session] = exporter.getFinishedSpans();
    expect(session?.name).toBe("realtime_session gpt-realtime");
    expect(response?.attributes["thoughtflow.outcome"]).toBe("aborted");
    expect(JSON.stringify(messages(response, "output.messages"))).toContain("Hel");
  });
});

describe("a response that somebody interrupts by speaking", () => {
  it("is cancelled, with what was said and used until then", async () => {
    const cancelled = {
      ...spoken,
      status: "cancelled",
      status_details: { type: "cancelled", reason: "turn_detected" },
    };
    const events = realtime["response.create"];
    await using server = await serve({
      ...realtime,
      "response.create": [...events.slice(0, 3), { type: "response.done", response: cancelled }],
    });
    const props = { model: "gpt-realtime", options: server.options };
    const socket = new OpenAIRealtimeWS(props, server.client);
    await new Promise<void>((resolve) => {
      socket.on("session.created", () => socket.send({ type: "response.create" }));
      socket.on("response.done", () => resolve());
    });
    const closed = once(socket.socket, "close");
    socket.close();
    await closed;
    const [response] = exporter.getFinishedSpans();
    expect(response?.status.code).toBe(0);
    expect(response?.attributes).toMatchObject({
      "thoughtflow.outcome": "cancelled",
      "gen_ai.response.finish_reasons": ["turn_detected"],
      "gen_ai.usage.output_tokens": 12,
    });
  });
});

describe("what a provider says of an error in a session", () => {
  it("is on its span only with all content", async () => {
    class Quiet extends OpenAIRealtimeWS {
      override send(event: Parameters<OpenAIRealtimeWS["send"]>[0]): void {
        super.send(event);
      }
    }
    const unpatch = instrumentOpenAI(Quiet, {
      tracerProvider: provider,
      captureContentOnSpans: false,
    });
    const error = { type: "invalid_request_error", message: "You said: hunter2" };
    await using server = await serve({ "response.create": [{ type: "error", error }] });
    const props = { model: "gpt-realtime", options: server.options };
    const socket = new Quiet(props, server.client);
    const failed = new Promise((resolve) => socket.on("error", resolve));
    await once(socket.socket, "open");
    socket.send({ type: "response.create" });
    await failed;
    const closed = once(socket.socket, "close");
    socket.close();
    await closed;
    unpatch();
    const [session] = exporter.getFinishedSpans();
    expect(session?.status).toEqual({ code: 2, message: "invalid_request_error (17 characters)" });
  });
});
