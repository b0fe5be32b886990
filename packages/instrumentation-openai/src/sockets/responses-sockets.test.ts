import { ResponsesWS } from "openai/resources/responses/ws";
import { describe, expect, it } from "vitest";
import { exporter, messages, serve } from "../../testing/observed-sockets.ts";

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
