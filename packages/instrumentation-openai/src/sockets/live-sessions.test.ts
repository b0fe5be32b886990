import OpenAI from "openai";
import { ForksWS } from "openai/resources/live/forks/ws";
import { SidebandWS } from "openai/resources/live/sideband/ws";
import { LiveWS } from "openai/resources/live/ws";
import { describe, expect, it } from "vitest";
import { exporter, messages, serve } from "../../testing/observed-sockets.ts";

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
