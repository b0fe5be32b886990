import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange, ReplayServerOptions } from "@thoughtflow/testkit";
import { createRandom, createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import type { Unpatch } from "./replace-method.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let unpatch: Unpatch;

beforeAll(() => {
  provider.register();
  unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider, captureContentOnSpans: true });
});
afterAll(() => unpatch());
afterEach(() => {
  endOpenRuns();
  exporter.reset();
});

/** The spans that an app leaves besides roots that were derived. */
async function spansOf(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<unknown>,
  options: ReplayServerOptions = {},
): Promise<readonly ReadableSpan[]> {
  await using server = await createReplayServer(exchanges, options);
  await app(new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 2 }));
  return exporter
    .getFinishedSpans()
    .filter(({ attributes }) => attributes["thoughtflow.origin"] !== "derived");
}

const content = (span: ReadableSpan | undefined, name: string): unknown =>
  JSON.parse(String(span?.attributes[name]));

const output = (span: ReadableSpan | undefined): unknown => content(span, "gen_ai.output.messages");
const input = (span: ReadableSpan | undefined): unknown => content(span, "gen_ai.input.messages");

const events = (...list: readonly object[]): string =>
  list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const random = createRandom(7);
const picture = Buffer.from(Array.from({ length: 3000 }, () => random() * 256)).toString("base64");
const omitted = expect.objectContaining({ omitted: "base64", bytes: 3000 });
const file = (type: string) => new File(["12345"], "it.bin", { type });
const says = (role: string, text: string) => ({ role, parts: [{ type: "text", content: text }] });

describe("pictures", () => {
  it("are told by words, size and usage; their bytes by hash and length", async () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 272,
      total_tokens: 282,
      input_tokens_details: { image_tokens: 3, text_tokens: 7 },
    };
    const [span] = await spansOf(
      [toExchange("/", { data: [{ b64_json: picture, revised_prompt: "a red cat" }], usage })],
      (client) =>
        client.images.generate({ model: "gpt-image-1", prompt: "a cat", n: 2, size: "1024x1024" }),
    );
    expect(span?.name).toBe("generate_content gpt-image-1");
    expect(span?.attributes).toMatchObject({
      "gen_ai.output.type": "image",
      "gen_ai.request.choice.count": 2,
      "openai.request.size": "1024x1024",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 272,
      "gen_ai.usage.image.input_tokens": 3,
      "thoughtflow.call": "openai.images.generate",
    });
    expect(input(span)).toEqual([says("user", "a cat")]);
    expect(output(span)).toEqual([
      {
        role: "assistant",
        parts: [
          {
            type: "blob",
            modality: "image",
            mime_type: "image/png",
            content: omitted,
            revised_prompt: "a red cat",
          },
        ],
      },
    ]);
  });

  it("that come in pieces are one picture, with the usage of the last event", async () => {
    const stream = events(
      { type: "image_generation.partial_image", b64_json: "AAAA", partial_image_index: 0 },
      {
        type: "image_generation.completed",
        b64_json: picture,
        output_format: "webp",
        usage: { input_tokens: 1, output_tokens: 2 },
      },
    );
    const [span] = await spansOf([toExchange("/", stream)], async (client) => {
      const pieces = await client.images.generate({ model: "m", prompt: "a cat", stream: true });
      for await (const _ of pieces);
    });
    expect(span?.attributes).toMatchObject({
      "gen_ai.request.stream": true,
      "gen_ai.usage.output_tokens": 2,
      "thoughtflow.stream.chunks": 2,
    });
    expect(output(span)).toEqual([
      {
        role: "assistant",
        parts: [{ type: "blob", modality: "image", mime_type: "image/webp", content: omitted }],
      },
    ]);
  });

  it("to be changed are told by name and type, not read", async () => {
    const [span] = await spansOf(
      [toExchange("/", { data: [{ url: "https://x.test/1.png" }] })],
      (client) =>
        client.images.edit({
          model: "m",
          prompt: "blue",
          image: [file("image/png")],
          mask: file("image/webp"),
        }),
    );
    expect(input(span)).toEqual([
      {
        role: "user",
        parts: [
          { type: "text", content: "blue" },
          {
            type: "uploaded_file",
            modality: "image",
            filename: "it.bin",
            mime_type: "image/png",
            bytes: 5,
          },
          {
            type: "uploaded_file",
            modality: "image",
            filename: "it.bin",
            mime_type: "image/webp",
            bytes: 5,
          },
        ],
      },
    ]);
  });
});

describe("sound", () => {
  it("that is spoken stays with the app, which still reads it", async () => {
    const exchange = toExchange("/", "RIFF", { headers: { "content-type": "audio/wav" } });
    let heard = "";
    const [span] = await spansOf([exchange], async (client) => {
      const speech = await client.audio.speech.create({
        model: "tts",
        voice: "ash",
        input: "Hello",
        instructions: "slowly",
        speed: 0.5,
      });
      heard = await speech.text();
    });
    expect(heard).toBe("RIFF");
    expect(span?.attributes).toMatchObject({
      "gen_ai.output.type": "speech",
      "openai.request.speed": 0.5,
    });
    expect(input(span)).toEqual([says("user", "Hello")]);
    expect(output(span)).toEqual([
      { role: "assistant", parts: [{ type: "audio", mime_type: "audio/wav" }] },
    ]);
  });

  it("that is written down is told as text with its tokens", async () => {
    const usage = {
      type: "tokens",
      input_tokens: 14,
      output_tokens: 4,
      input_token_details: { text_tokens: 4, audio_tokens: 10 },
    };
    const [span] = await spansOf([toExchange("/", { text: "Hello.", usage })], (client) =>
      client.audio.transcriptions.create({
        model: "stt",
        file: file("audio/mp3"),
        prompt: "names",
      }),
    );
    expect(span?.attributes).toMatchObject({
      "gen_ai.request.model": "stt",
      "gen_ai.usage.input_tokens": 14,
      "gen_ai.usage.audio.input_tokens": 10,
    });
    expect(input(span)).toEqual([
      {
        role: "user",
        parts: [
          {
            type: "uploaded_file",
            modality: "audio",
            filename: "it.bin",
            mime_type: "audio/mp3",
            bytes: 5,
          },
          { type: "text", content: "names" },
        ],
      },
    ]);
    expect(output(span)).toEqual([says("assistant", "Hello.")]);
  });

  it("that is written down piece by piece is one text, also when the app stops in the middle", async () => {
    const stream = events(
      { type: "transcript.text.delta", delta: "Hel" },
      { type: "transcript.text.delta", delta: "lo" },
      { type: "transcript.text.done", text: "Hello", usage: { input_tokens: 5, output_tokens: 2 } },
    );
    const spans = await spansOf(
      [toExchange("/", stream), toExchange("/", stream)],
      async (client) => {
        for (const limit of [9, 1]) {
          let read = 0;
          const request = { model: "stt", file: file("audio/mp3"), stream: true } as const;
          for await (const _ of await client.audio.transcriptions.create(request)) {
            if (++read === limit) break;
          }
        }
      },
    );
    expect(spans.map(output)).toEqual([[says("assistant", "Hello")], [says("assistant", "Hel")]]);
    expect(spans.map(({ attributes }) => attributes["thoughtflow.outcome"])).toEqual([
      undefined,
      "cancelled",
    ]);
  });

  it("that is cut into plain text has no usage", async () => {
    const exchange = toExchange("/", "just words", { headers: { "content-type": "text/plain" } });
    const [span] = await spansOf([exchange], (client) =>
      client.audio.translations.create({
        model: "stt",
        file: file("audio/mp3"),
        response_format: "text",
      }),
    );
    expect(output(span)).toEqual([says("assistant", "just words")]);
    expect(Object.keys(span?.attributes ?? {}).filter((name) => name.includes("usage"))).toEqual(
      [],
    );
  });
});

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
