import { once } from "node:events";
import { connect } from "node:net";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import OpenAI from "openai";
import { OpenAIRealtimeTranslationWS } from "openai/realtime/translations/ws";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { ForksWS } from "openai/resources/live/forks/ws";
import { SidebandWS } from "openai/resources/live/sideband/ws";
import { LiveWS } from "openai/resources/live/ws";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { WebSocket as ServedSocket } from "ws";
import { WebSocketServer } from "ws";
import { instrumentOpenAI } from "../instrument-openai.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
for (const one of [
  OpenAIRealtimeWS,
  OpenAIRealtimeWebSocket,
  OpenAIRealtimeTranslationWS,
  ResponsesWS,
  LiveWS,
  ForksWS,
  SidebandWS,
]) {
  instrumentOpenAI(one, { tracerProvider: provider, captureContentOnSpans: true });
}

afterEach(() => {
  exporter.reset();
  vi.unstubAllGlobals();
});

/** The SDK only speaks TLS with a realtime server; these speak without. */
class PlainWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(String(url).replace(/^wss/, "ws"), protocols);
  }
}

interface SocketServer extends AsyncDisposable {
  readonly client: OpenAI;
  /** For sockets of the package `ws`. */
  readonly options: object;
}

/** A server that answers each event by what `answers` has for its type. */
async function serve(answers: Readonly<Record<string, readonly object[]>>): Promise<SocketServer> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const say = (socket: ServedSocket, events: readonly object[] = []) => {
    for (const event of events) socket.send(JSON.stringify(event));
  };
  server.on("connection", (socket) => {
    say(socket, answers["open"]);
    socket.on("message", (data) => say(socket, answers[JSON.parse(String(data)).type]));
  });
  const { port } = server.address() as { port: number };
  return {
    client: new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${port}/v1` }),
    options: { createConnection: () => connect(port, "127.0.0.1") },
    [Symbol.asyncDispose]: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

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

const messages = (span: ReadableSpan | undefined, name: string): unknown =>
  JSON.parse(String(span?.attributes[`gen_ai.${name}`]));

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

describe("speech that a realtime session writes down", () => {
  const name = (end: string) => `conversation.item.input_audio_transcription.${end}`;
  const started = (session: object) => ({
    open: [{ type: "session.created", session: { model: "gpt-realtime", ...session } }],
  });

  const spansOf = async (answers: Readonly<Record<string, readonly object[]>>, last: string) => {
    await using server = await serve(answers);
    const props = { model: "gpt-realtime", options: server.options };
    const socket = new OpenAIRealtimeWS(props, server.client);
    socket.on("error", () => {});
    await new Promise<void>((resolve) => {
      socket.on("session.created", () => socket.send({ type: "input_audio_buffer.commit" }));
      socket.on("event", ({ type, item_id: item }: { type: string; item_id?: string }) => {
        if (type.endsWith(last) && item === "item_2") resolve();
      });
    });
    const closed = once(socket.socket, "close");
    socket.close();
    await closed;
    return exporter.getFinishedSpans();
  };

  it("is a call of the model that listens, with what it costs, below the session", async () => {
    const transcription = { model: "whisper-1", language: "en" };
    const spans = await spansOf(
      {
        ...started({ audio: { input: { transcription } } }),
        "input_audio_buffer.commit": [
          { type: "input_audio_buffer.committed", item_id: "item_1" },
          { type: "input_audio_buffer.committed", item_id: "item_2" },
          {
            type: name("completed"),
            item_id: "item_1",
            transcript: "Hello there.",
            usage: {
              type: "tokens",
              input_tokens: 14,
              output_tokens: 5,
              input_token_details: { audio_tokens: 10, text_tokens: 4 },
            },
          },
          {
            type: name("completed"),
            item_id: "item_2",
            transcript: "Bye.",
            usage: { type: "duration", seconds: 1.5 },
          },
        ],
      },
      "completed",
    );
    const [first, second, session] = spans;
    expect(spans.map((span) => span.name)).toEqual([
      "generate_content whisper-1",
      "generate_content whisper-1",
      "realtime_session gpt-realtime",
    ]);
    expect(first?.parentSpanContext?.spanId).toBe(session?.spanContext().spanId);
    expect(first?.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 14,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.audio.input_tokens": 10,
      "openai.request.language": "en",
      "thoughtflow.call": "openai.OpenAIRealtimeWS",
    });
    expect(messages(first, "output.messages")).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "Hello there." }] },
    ]);
    expect(second?.attributes["thoughtflow.audio_seconds"]).toBe(1.5);
    expect(second?.attributes["gen_ai.usage.input_tokens"]).toBeUndefined();
  });

  it("is told in the names of older sessions, too, and fails by itself", async () => {
    const error = { type: "server_error", code: "audio_unintelligible", message: "What?" };
    const [call, session] = await spansOf(
      {
        ...started({ input_audio_transcription: { model: "gpt-4o-transcribe" } }),
        "input_audio_buffer.commit": [
          { type: "input_audio_buffer.committed", item_id: "item_2" },
          { type: name("failed"), item_id: "item_2", content_index: 0, error },
        ],
      },
      "failed",
    );
    expect([call?.name, call?.attributes["error.type"], call?.status.code]).toEqual([
      "generate_content gpt-4o-transcribe",
      "audio_unintelligible",
      2,
    ]);
    expect(session?.status.code).toBe(0);
  });
});

describe("a translation", () => {
  it("is a span from the first event that is sent to the end, whatever the SDK drains until then", async () => {
    const error = { type: "invalid_request_error", code: "bad_sound", message: "What was that?" };
    await using server = await serve({
      "session.input_audio_buffer.append": [{ type: "error", event_id: "e", error }],
      "session.close": [{ type: "session.closed", event_id: "f" }],
    });
    const client = new OpenAI({
      apiKey: "k",
      baseURL: server.client.baseURL.replace("http", "https"),
    });
    const socket = await OpenAIRealtimeTranslationWS.create(client, {
      model: "gpt-translate",
      options: server.options,
    });
    const failed = new Promise((resolve) => socket.on("error", resolve));
    await new Promise<void>((resolve) => socket.socket.on("open", () => resolve()));
    socket.send({ type: "session.input_audio_buffer.append", audio: "AAAA" });
    await failed;
    await socket.finish({ timeoutMs: 5_000 });
    const [session] = exporter.getFinishedSpans();
    expect([session?.name, session?.attributes["error.type"]]).toEqual([
      "realtime_session gpt-translate",
      "bad_sound",
    ]);
    expect(session?.attributes["thoughtflow.call"]).toBe("openai.OpenAIRealtimeTranslationWS");
    expect(session?.status).toEqual({ code: 2, message: "What was that?" });
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

describe("ResponsesWS", () => {
  it("is a session in which each response is the call that asked for it", async () => {
    const output = [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes." }] },
    ];
    const response = {
      id: "resp_9",
      model: "m-1",
      status: "completed",
      output,
      usage: { input_tokens: 3, output_tokens: 1 },
    };
    await using server = await serve({
      "response.create": [
        { type: "response.created", response: { id: "resp_9", status: "in_progress" } },
        { type: "response.completed", response },
      ],
    });
    const socket = new ResponsesWS(server.client);
    const done = new Promise((resolve) => socket.on("response.completed", resolve));
    socket.send({ type: "response.create", model: "m", input: "Well?" } as never);
    await done;
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.close();
    await closed;
    const [call, session] = exporter.getFinishedSpans();
    expect([call?.name, session?.name]).toEqual(["chat m", "realtime_session"]);
    expect(call?.attributes).toMatchObject({
      "gen_ai.response.model": "m-1",
      "gen_ai.usage.input_tokens": 3,
      "thoughtflow.call": "openai.ResponsesWS",
    });
    expect(messages(call, "input.messages")).toEqual([
      { role: "user", parts: [{ type: "text", content: "Well?" }] },
    ]);
  });
});

describe("a live session", () => {
  const nested = (event: object) => ({ type: "response.event", delegation_id: "d", event });
  const says = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Rain." }],
  };
  const started = {
    type: "session.started",
    session: {
      id: "live_1",
      model: "gpt-live",
      delegation: { type: "responses", responses: { model: "m", instructions: "Be kind." } },
    },
  };
  const response = { id: "resp_live", model: "m-1", output: [] };
  const delegated = [
    nested({ type: "response.created", response: { ...response, status: "in_progress" } }),
    nested({ type: "response.output_item.done", output_index: 0, item: says }),
    nested({
      type: "response.completed",
      response: { ...response, status: "completed", usage: { input_tokens: 7, output_tokens: 3 } },
    }),
  ];

  const renamed = (event: object): object =>
    JSON.parse(JSON.stringify(event).replaceAll("resp_live", "resp_fork"));

  it("is a span with one below it for each response of the model that it asks; a socket beside it tells none twice", async () => {
    await using server = await serve({ "session.start": [started], "session.update": delegated });
    const live = new LiveWS(server.client);
    const beside = new SidebandWS(server.client, { session_id: "live_1" });
    const toldBy = (socket: LiveWS | SidebandWS) =>
      new Promise<void>((resolve) => {
        let events = 0;
        socket.on("response.event", () => ++events === delegated.length && resolve());
      });
    const told = [toldBy(live), toldBy(beside)];
    live.on("error", () => {});
    live.on("session.started", () => live.send({ type: "session.update" } as never));
    live.send({ type: "session.start", session: started.session } as never);
    await told[0];
    beside.send({ type: "session.update" } as never);
    await told[1];
    const closed = [live, beside].map(
      (socket) => new Promise<void>((resolve) => socket.on("close", () => resolve())),
    );
    live.close();
    beside.close();
    await Promise.all(closed);
    // What comes after the end opens nothing.
    live.send({ type: "session.close" } as never);
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name).sort()).toEqual([
      "chat m",
      "realtime_session",
      "realtime_session gpt-live",
    ]);
    const [call] = spans.filter(({ name }) => name === "chat m");
    const [session] = spans.filter(({ name }) => name === "realtime_session gpt-live");
    const [watching] = spans.filter(({ name }) => name === "realtime_session");
    expect(watching?.attributes["thoughtflow.call"]).toBe("openai.SidebandWS");
    expect(call?.parentSpanContext?.spanId).toBe(session?.spanContext().spanId);
    expect(call?.attributes).toMatchObject({
      "gen_ai.response.id": "resp_live",
      "gen_ai.usage.input_tokens": 7,
      "thoughtflow.call": "openai.LiveWS",
    });
    expect(messages(call, "output.messages")).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "Rain." }] },
    ]);
  });

  it("that is a fork is a session of its own, and tells the seconds that it is charged with", async () => {
    const usage = (type: string, seconds: number) => ({ type, event_id: "e", usage: { seconds } });
    await using server = await serve({
      "session.update": [...delegated.map(renamed), usage("session.usage.updated", 2.5)],
      "session.close": [usage("session.closed", 4)],
    });
    const fork = new ForksWS(server.client, { session_id: "live_1" });
    fork.on("error", () => {});
    const closed = new Promise<void>((resolve) => fork.on("session.closed", () => resolve()));
    const counted = new Promise<void>((resolve) =>
      fork.on("session.usage.updated", () => resolve()),
    );
    fork.send({ type: "session.update" } as never);
    await counted;
    fork.send({ type: "session.close" } as never);
    await closed;
    const gone = new Promise<void>((resolve) => fork.on("close", () => resolve()));
    fork.close();
    await gone;
    const [call, session] = exporter.getFinishedSpans();
    expect(call?.parentSpanContext?.spanId).toBe(session?.spanContext().spanId);
    expect(call?.attributes["gen_ai.response.id"]).toBe("resp_fork");
    expect(session?.attributes).toMatchObject({
      "thoughtflow.call": "openai.ForksWS",
      "thoughtflow.audio_seconds": 4,
    });
  });

  it("that never came about ends with an error", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: "http://127.0.0.1:1/v1", maxRetries: 0 });
    const live = new LiveWS(client);
    live.on("error", () => {});
    await new Promise<void>((resolve) => live.on("close", () => resolve()));
    const [session] = exporter.getFinishedSpans();
    expect([session?.name, session?.attributes["error.type"]]).toEqual([
      "realtime_session",
      "1006",
    ]);
  });
});
