import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange, ReplayServerOptions } from "@thoughtflow/testkit";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI, { AzureOpenAI } from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
instrumentOpenAI(OpenAI, { tracerProvider: provider, captureContentOnSpans: true });

afterEach(() => {
  endOpenRuns();
  exporter.reset();
});

async function spanOf(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<unknown>,
  options: ReplayServerOptions = {},
): Promise<ReadableSpan | undefined> {
  await using server = await createReplayServer(exchanges, options);
  await app(new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 3 }));
  return exporter.getFinishedSpans().find(({ kind }) => kind === 2);
}

const completion = (more: object = {}, options: Parameters<typeof toExchange>[2] = {}) =>
  toExchange(
    "/",
    {
      id: "c_1",
      model: "m-1",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hi" } }],
      ...more,
    },
    options,
  );

const ask =
  (more: object = {}) =>
  (client: OpenAI) =>
    client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      ...more,
    });

describe("request parameters", () => {
  it("are kept as given: 0, false and the empty text, too", async () => {
    const span = await spanOf(
      [completion()],
      ask({
        temperature: 0,
        top_p: 0,
        seed: 0,
        stop: "",
        store: false,
        parallel_tool_calls: false,
        prompt_cache_key: "",
        top_logprobs: 0,
        tool_choice: { type: "function", function: { name: "look" } },
      }),
    );
    expect(span?.attributes).toMatchObject({
      "gen_ai.request.temperature": 0,
      "gen_ai.request.top_p": 0,
      "gen_ai.request.seed": 0,
      "gen_ai.request.stop_sequences": [""],
      "openai.request.store": false,
      "openai.request.parallel_tool_calls": false,
      "openai.request.prompt_cache_key": "",
      "openai.request.top_logprobs": 0,
      "openai.request.tool_choice": "look",
    });
  });

  it("hold the schema that the answer has to fit, as content", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const chat = await spanOf(
      [completion()],
      ask({ response_format: { type: "json_schema", json_schema: { name: "place", schema } } }),
    );
    exporter.reset();
    const responses = await spanOf(
      [toExchange("/", { id: "r", status: "completed", output: [] })],
      (client) =>
        client.responses.create({
          model: "m",
          input: "x",
          text: { format: { type: "json_schema", name: "place", schema } },
        }),
    );
    for (const span of [chat, responses]) {
      expect(span?.attributes["gen_ai.output.type"]).toBe("json");
      expect(JSON.parse(String(span?.attributes["thoughtflow.output_schema"]))).toEqual(schema);
    }
  });
});

describe("what is only counted", () => {
  it("are log probabilities, of an answer and of a stream", async () => {
    const logprobs = {
      content: [
        { token: "h", logprob: -1 },
        { token: "i", logprob: -2 },
      ],
    };
    const choice = {
      index: 0,
      finish_reason: "stop",
      logprobs,
      message: { role: "assistant", content: "hi" },
    };
    const whole = await spanOf([completion({ choices: [choice] })], ask({ logprobs: true }));
    exporter.reset();
    const chunk = { id: "c", choices: [{ index: 0, delta: { content: "hi" }, logprobs }] };
    const stream = `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
    const pieces = await spanOf([toExchange("/", stream)], async (client) => {
      for await (const _ of await client.chat.completions.create({
        model: "m",
        messages: [],
        stream: true,
      }));
    });
    expect(
      [whole, pieces].map((span) => span?.attributes["openai.response.logprobs.count"]),
    ).toEqual([2, 4]);
    for (const span of [whole, pieces])
      expect(JSON.stringify(span?.attributes)).not.toContain("-2");
  });

  it("are vectors", async () => {
    const data = [1, 2].map((index) => ({ index, embedding: [0.125, 0.25, 0.5] }));
    const span = await spanOf([toExchange("/", { model: "e-1", data })], (client) =>
      client.embeddings.create({ model: "e", input: ["a", "b"], encoding_format: "float" }),
    );
    expect(span?.attributes).toMatchObject({
      "openai.response.embeddings.count": 2,
      "gen_ai.embeddings.dimension.count": 3,
    });
    expect(JSON.stringify(span?.attributes)).not.toContain("0.125");
  });

  it("are sound tokens where there were some; the total stays the total", async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { audio_tokens: 60, cached_tokens: 0 },
      completion_tokens_details: { audio_tokens: 0, reasoning_tokens: 0 },
    };
    const span = await spanOf([completion({ usage })], ask());
    const counted = Object.entries(span?.attributes ?? {}).filter(([name]) =>
      name.startsWith("gen_ai.usage."),
    );
    expect(Object.fromEntries(counted)).toEqual({
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 50,
      "gen_ai.usage.cache_read.input_tokens": 0,
      "gen_ai.usage.reasoning.output_tokens": 0,
      "gen_ai.usage.audio.input_tokens": 60,
    });
  });
});

describe("the head of an answer", () => {
  it.each([
    [
      "of requests",
      { "limit-requests": "500", "remaining-requests": "499", "reset-tokens": "6ms" },
    ],
    ["of Azure, without their limits", { "remaining-requests": "499", "remaining-tokens": "9000" }],
    [
      "of tokens only",
      { "limit-tokens": "10000", "remaining-tokens": "9000", "reset-tokens": "1s" },
    ],
  ])("tells request id, the server's time and what it still allows, %s", async (_, allowed) => {
    const limits = Object.entries(allowed).map(([name, value]) => [`x-ratelimit-${name}`, value]);
    const headers = {
      "x-request-id": "req_1",
      "openai-processing-ms": "42",
      ...(Object.fromEntries(limits) as Record<string, string>),
    };
    const span = await spanOf([completion({}, { headers })], ask());
    expect(span?.attributes).toMatchObject({
      "http.response.status_code": 200,
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [`http.response.header.${name}`, [value]]),
      ),
    });
  });
});

describe("a call that fails", () => {
  it("tells class, code, parameter, type, status and request id", async () => {
    const error = {
      message: "bad model",
      type: "invalid_request_error",
      param: "model",
      code: "model_not_found",
    };
    const span = await spanOf(
      [toExchange("/", { error }, { status: 404, headers: { "x-request-id": "req_2" } })],
      (client) => ask()(client).catch(() => undefined),
    );
    expect(span?.status).toEqual({ code: 2, message: "404 bad model" });
    expect(span?.attributes).toMatchObject({
      "error.type": "model_not_found",
      "thoughtflow.error.class": "NotFoundError",
      "openai.error.code": "model_not_found",
      "openai.error.param": "model",
      "openai.error.type": "invalid_request_error",
      "http.response.status_code": 404,
      "http.response.header.x-request-id": ["req_2"],
    });
  });

  it("and is made again is one span, with an event for each attempt that failed", async () => {
    const span = await spanOf([completion()], ask(), {
      faults: {
        0: {
          kind: "status",
          status: 429,
          headers: { "retry-after-ms": "1", "retry-after": "0", "x-request-id": "req_3" },
        },
        1: { kind: "status", status: 503, headers: { "retry-after-ms": "1" } },
      },
    });
    expect(span?.status.code).toBe(0);
    expect(span?.attributes["http.request.resend_count"]).toBe(2);
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        "thoughtflow.retry",
        {
          "http.request.resend_count": 1,
          "http.response.status_code": 429,
          "http.response.header.retry-after": ["0"],
          "http.response.header.retry-after-ms": ["1"],
          "http.response.header.x-request-id": ["req_3"],
        },
      ],
      [
        "thoughtflow.retry",
        {
          "http.request.resend_count": 2,
          "http.response.status_code": 503,
          "http.response.header.retry-after-ms": ["1"],
        },
      ],
    ]);
  });

  it.each([
    [
      "response.failed",
      { status: "failed", error: { code: "server_error", message: "oh" } },
      "server_error",
    ],
    [
      "response.incomplete",
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      "max_output_tokens",
    ],
  ])(
    "after HTTP 200 with %s is an error with what came until then",
    async (type, more, errorType) => {
      const output = [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "half" }] },
      ];
      const stream = `data: ${JSON.stringify({ type, response: { id: "r", output, ...more } })}\n\n`;
      const span = await spanOf([toExchange("/", stream)], async (client) => {
        for await (const _ of await client.responses.create({
          model: "m",
          input: "x",
          stream: true,
        }));
      });
      expect(span?.status.code).toBe(2);
      expect(span?.attributes["error.type"]).toBe(errorType);
      expect(String(span?.attributes["gen_ai.output.messages"])).toContain("half");
    },
  );
});

describe("a client", () => {
  it("of Azure is told by its host, and its deployment changes nothing", async () => {
    await using server = await createReplayServer([completion(), completion()]);
    const options = { apiKey: "k", apiVersion: "2026-01-01", maxRetries: 0 };
    const fetch: typeof globalThis.fetch = (url, init) =>
      globalThis.fetch(String(url).replace(/^https:\/\/[^/]+/, server.url), init);
    const azure = new AzureOpenAI({
      ...options,
      endpoint: "https://mine.openai.azure.com",
      deployment: "dep",
      fetch,
    });
    await ask()(azure);
    await ask()(azure.withOptions({ maxRetries: 1 }) as OpenAI);
    const spans = exporter.getFinishedSpans().filter(({ kind }) => kind === 2);
    expect(
      spans.map(({ attributes }) => [
        attributes["gen_ai.provider.name"],
        attributes["server.address"],
      ]),
    ).toEqual([1, 2].map(() => ["azure.ai.openai", "mine.openai.azure.com"]));
    expect(server.requests[0]?.path).toContain("/openai/deployments/dep/chat/completions");
  });
});
