import { once } from "node:events";
import OpenAI from "openai";
import { OpenAIRealtimeTranslationWS } from "openai/realtime/translations/ws";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { describe, expect, it } from "vitest";
import { exporter, messages, serve } from "../../testing/observed-sockets.ts";

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
