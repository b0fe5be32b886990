import { toExchange } from "@thoughtflow/testkit";
import { describe, expect, it } from "vitest";
import { content, events, input, output, says, spansOf } from "../testing/told-calls.ts";

describe("judgements", () => {
  it("of moderation are told by what was found", async () => {
    const results = [
      {
        flagged: true,
        categories: { violence: true, hate: false },
        category_scores: { violence: 0.9 },
      },
      { flagged: false, categories: { violence: false } },
    ];
    const [span] = await spansOf(
      [toExchange("/", { id: "modr_1", model: "m-1", results })],
      (client) => client.moderations.create({ model: "m", input: ["I will", "hello"] }),
    );
    expect(span?.attributes).toMatchObject({
      "gen_ai.operation.name": "moderate",
      "gen_ai.response.id": "modr_1",
      "openai.moderation.flagged": true,
      "openai.moderation.categories": ["violence"],
    });
  });

  it("asked for as questions are the parts of one answer", async () => {
    const answer = { name: "spam", probability: 0.25, type: "predicate" as const };
    const usage = { input_tokens: 9, output_tokens: 1 };
    const [span] = await spansOf(
      [toExchange("/", { answers: [answer], model: "d-1", usage })],
      (client) =>
        client.decisions.create({
          model: "d",
          input: "Buy now",
          questions: [{ type: "predicate", name: "spam", question: "Is it spam?" } as never],
        }),
    );
    expect(span?.attributes).toMatchObject({
      "gen_ai.response.model": "d-1",
      "gen_ai.usage.input_tokens": 9,
    });
    expect(input(span)).toEqual([says("user", "Buy now")]);
    expect(output(span)).toEqual([
      { role: "assistant", parts: [{ type: "answer", content: JSON.stringify(answer) }] },
    ]);
  });
});

describe("agents that the server runs", () => {
  it("in a thread are told by run, thread, usage and what they ask for", async () => {
    const run = (more: object) => ({
      id: "run_1",
      object: "thread.run",
      model: "m-1",
      thread_id: "thread_1",
      ...more,
    });
    const stream = [
      ["thread.run.created", run({ status: "queued" })],
      [
        "thread.message.completed",
        { role: "assistant", content: [{ type: "text", text: { value: "Sunny." } }] },
      ],
      [
        "thread.run.completed",
        run({ status: "completed", usage: { prompt_tokens: 20, completion_tokens: 3 } }),
      ],
    ]
      .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      .join("");
    const [span] = await spansOf([toExchange("/", stream)], async (client) => {
      const run = await client.beta.threads.runs.create("thread_1", {
        assistant_id: "asst_1",
        additional_messages: [{ role: "user", content: "Weather?" }],
        stream: true,
      });
      for await (const _ of run);
    });
    expect(span?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": "asst_1",
      "gen_ai.conversation.id": "thread_1",
      "gen_ai.response.id": "run_1",
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 3,
    });
    expect(input(span)).toEqual([says("user", "Weather?")]);
    expect(output(span)).toEqual([says("assistant", "Sunny.")]);
  });

  it("in a session are told by the turns that they end", async () => {
    const usage = { input_tokens: 4, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } };
    const stream = events(
      { type: "agent.session.created", session_id: "sess_1" },
      {
        type: "agent.session.turn.item.done",
        session_id: "sess_1",
        turn_id: "t1",
        item: {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Done." }],
        },
      },
      {
        type: "agent.session.turn.completed",
        session_id: "sess_1",
        turn_id: "t1",
        turn: {},
        usage,
      },
      {
        type: "agent.session.turn.failed",
        session_id: "sess_1",
        turn_id: "t2",
        turn: { error: { code: "tool_failed", message: "no" } },
        usage,
      },
    );
    const [span] = await spansOf([toExchange("/", stream)], async (client) => {
      const session = await client.beta.agents.sessions.create({
        environment: { type: "none" } as never,
        agent: { model: "m", instructions: "Be brief." },
        input: "Do it.",
        stream: true,
      });
      for await (const _ of session);
    });
    expect(span?.status).toEqual({ code: 2, message: "no" });
    expect(span?.attributes).toMatchObject({
      "gen_ai.request.model": "m",
      "gen_ai.conversation.id": "sess_1",
      "gen_ai.usage.input_tokens": 8,
      "gen_ai.usage.cache_read.input_tokens": 2,
      "error.type": "tool_failed",
    });
    expect(output(span)).toEqual([says("assistant", "Done.")]);
  });
});

describe("an answer that is fetched later", () => {
  const response = (status: string, more: object = {}) =>
    toExchange("/", {
      id: "resp_0001",
      object: "response",
      model: "m-1",
      status,
      output: [],
      ...more,
    });
  const done = { usage: { input_tokens: 15, output_tokens: 9 } };

  it("is a span with its usage once; looking for it is none; both are in the run of the call", async () => {
    const exchanges = [
      response("queued"),
      response("in_progress"),
      response("completed", done),
      response("completed", done),
    ];
    const spans = await spansOf(exchanges, async (client) => {
      await client.responses.create({ model: "m", input: "x", background: true });
      for (let look = 0; look < 3; look++) await client.responses.retrieve("resp_0001");
    });
    expect(
      spans.map(({ name, attributes }) => [
        name,
        attributes["gen_ai.response.status"],
        attributes["gen_ai.usage.input_tokens"],
      ]),
    ).toEqual([
      ["chat m", "queued", undefined],
      ["fetch_response", "completed", 15],
      ["fetch_response", "completed", undefined],
    ]);
    expect(spans[0]?.attributes["openai.request.background"]).toBe(true);
    expect(spans[1]?.spanContext().traceId).toBe(spans[0]?.spanContext().traceId);
    expect(spans[2]?.attributes["session.id"]).toBe(spans[0]?.attributes["session.id"]);
  });

  it("as a stream from some event on has the whole answer of its last event", async () => {
    const output = [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi there" }] },
    ];
    const stream = events({
      type: "response.completed",
      sequence_number: 9,
      response: { id: "resp_7", status: "completed", output, ...done },
    });
    const [span] = await spansOf([toExchange("/", stream)], async (client) => {
      const rest = await client.responses.retrieve("resp_7", { stream: true, starting_after: 8 });
      for await (const _ of rest);
    });
    expect(span?.attributes).toMatchObject({
      "gen_ai.operation.name": "fetch_response",
      "gen_ai.request.stream": true,
      "gen_ai.request.stream_cursor": "8",
      "gen_ai.response.id": "resp_7",
      "gen_ai.usage.output_tokens": 9,
    });
    expect(content(span, "gen_ai.output.messages")).toEqual([says("assistant", "Hi there")]);
  });

  it("that is not there is a failed fetch", async () => {
    const [span] = await spansOf(
      [toExchange("/", { error: { message: "gone", code: "not_found" } }, { status: 404 })],
      (client) => client.responses.retrieve("resp_8").catch(() => undefined),
    );
    expect(span?.name).toBe("fetch_response");
    expect(span?.attributes).toMatchObject({
      "gen_ai.response.id": "resp_8",
      "error.type": "not_found",
    });
  });
});
