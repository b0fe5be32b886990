import { metrics, trace } from "@opentelemetry/api";
import {
  type DataPoint,
  type Histogram,
  MeterProvider,
  MetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange } from "@thoughtflow/testkit";
import { createReplayServer, loadExchanges, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { instrumentOpenAI } from "./instrument-openai.ts";
import { OpenAIInstrumentation } from "./openai-instrumentation.ts";
import type { OpenAIInstrumentationOptions } from "./options.ts";
import type { Unpatch } from "./replace-method.ts";

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** A point as a backend gets it: a counter's sum, a histogram's count and sum. */
type Point = readonly [attributes: Readonly<Record<string, unknown>>, ...values: number[]];

interface Metering {
  readonly provider: MeterProvider;
  points(): Promise<Readonly<Record<string, readonly Point[]>>>;
  readonly reader: Reader;
}

function metering(): Metering {
  const reader = new Reader();
  const provider = new MeterProvider({ readers: [reader] });
  return {
    provider,
    reader,
    async points() {
      const { resourceMetrics } = await reader.collect();
      return Object.fromEntries(
        resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) =>
          found.map(({ descriptor, dataPoints }) => [
            descriptor.name,
            (dataPoints as DataPoint<number | Histogram>[]).map(pointOf),
          ]),
        ),
      );
    },
  };
}

function pointOf({ attributes, value }: DataPoint<number | Histogram>): Point {
  const { "server.port": _, ...rest } = attributes;
  return typeof value === "number" ? [rest, value] : [rest, value.count, value.sum ?? Number.NaN];
}

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
let unpatch: Unpatch | undefined;

beforeAll(() => tracerProvider.register());

afterEach(() => {
  unpatch?.();
  metrics.disable();
  exporter.reset();
});

async function replay(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<unknown>,
  options?: OpenAIInstrumentationOptions,
): Promise<void> {
  if (options !== undefined) unpatch = instrumentOpenAI(OpenAI, { tracerProvider, ...options });
  await using server = await createReplayServer(exchanges);
  await app(new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 0 }));
}

const chat = (client: OpenAI) =>
  client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "Hi" }] });

const answer = (usage?: object, more: object = {}): Exchange =>
  toExchange("/v1/chat/completions", {
    id: "c1",
    model: "m-1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi." } }],
    ...(usage !== undefined && { usage }),
    ...more,
  });

const dimensions = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "m",
  "gen_ai.response.model": "m-1",
  "server.address": "127.0.0.1",
};
const ofModality = (modality: string) => ({ ...dimensions, "gen_ai.token.modality": modality });

const usage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  prompt_tokens_details: { cached_tokens: 40, audio_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 20 },
};

test("a call is measured in the newest instruments, its tokens by modality", async () => {
  const { provider, points } = metering();
  await replay(
    [answer(usage), answer(usage)],
    async (client) => {
      await chat(client);
      await chat(client);
    },
    { meterProvider: provider },
  );
  const { "gen_ai.client.inference.duration": duration, ...tokens } = await points();
  expect(duration).toEqual([[dimensions, 2, expect.any(Number)]]);
  const name = (end: string) => `gen_ai.client.inference.${end}`;
  expect(tokens).toEqual({
    [name("usage.input_tokens")]: [
      [ofModality("audio"), 60],
      [ofModality("unknown"), 140],
    ],
    [name("usage.output_tokens")]: [[ofModality("unknown"), 100]],
    [name("usage.cache_read.input_tokens")]: [[ofModality("unknown"), 80]],
    [name("usage.reasoning.output_tokens")]: [[ofModality("unknown"), 40]],
    [name("operation.input_tokens")]: [[dimensions, 2, 200]],
    [name("operation.output_tokens")]: [[dimensions, 2, 100]],
  });
});

test("the buckets are those of the conventions", async () => {
  const { provider, reader } = metering();
  await replay([answer(usage)], chat, { meterProvider: provider });
  const { resourceMetrics } = await reader.collect();
  const boundaries = resourceMetrics.scopeMetrics
    .flatMap((scope) => scope.metrics)
    .flatMap(({ descriptor: { unit }, dataPoints }) =>
      dataPoints.flatMap(({ value }) =>
        typeof value === "number" ? [] : [[unit, (value as Histogram).buckets.boundaries]],
      ),
    );
  const powers = (first: number, factor: number) =>
    Array.from({ length: 14 }, (_, n) => Number((first * factor ** n).toFixed(2)));
  expect(boundaries).toEqual([
    ["s", powers(0.01, 2)],
    ["{token}", powers(1, 4)],
    ["{token}", powers(1, 4)],
  ]);
});

test("the chunks of a stream are timed, in seconds", async () => {
  const { provider, points } = metering();
  let chunks = 0;
  await replay(
    loadExchanges("otel-contrib-js/chat-stream-two-choices"),
    async (client) => {
      const stream = await client.chat.completions.create({
        model: "m",
        messages: [{ role: "user", content: "Hi" }],
        stream: true,
      });
      for await (const _ of stream) chunks += 1;
    },
    { meterProvider: provider },
  );
  const found = await points();
  const [between, ...more] = found["gen_ai.client.inference.time_per_output_chunk"] ?? [];
  expect([between?.[1], more]).toEqual([chunks - 1, []]);
  expect(between?.[0]).toMatchObject({
    "gen_ai.request.model": "m",
    "gen_ai.response.model": "gpt-4o-mini-2024-07-18",
  });
  const [first] = found["gen_ai.client.inference.time_to_first_chunk"] ?? [];
  const [whole] = found["gen_ai.client.inference.duration"] ?? [];
  expect([first?.[1], whole?.[1]]).toEqual([1, 1]);
  expect(first?.[2]).toBeGreaterThan(0);
  expect(whole?.[2]).toBeGreaterThanOrEqual(Number(first?.[2]));
});

test("a failed call has its error on the duration, and 0 tokens of unknown modality", async () => {
  const { provider, points } = metering();
  const refused: Exchange = {
    ...answer(),
    response: { ...answer().response, status: 401, body: '{"error":{"code":"invalid_api_key"}}' },
  };
  await replay([refused], (client) => chat(client).catch(() => undefined), {
    meterProvider: provider,
  });
  const { "gen_ai.response.model": _, ...asked } = dimensions;
  const found = await points();
  expect(found["gen_ai.client.inference.duration"]).toEqual([
    [{ ...asked, "error.type": "invalid_api_key" }, 1, expect.any(Number)],
  ]);
  expect(found["gen_ai.client.inference.usage.input_tokens"]).toEqual([
    [{ ...asked, "gen_ai.token.modality": "unknown" }, 0],
  ]);
  expect(found["gen_ai.client.inference.operation.input_tokens"]).toBeUndefined();
});

test("embeddings are an operation, no inference", async () => {
  const { provider, points } = metering();
  const vectors = toExchange("/v1/embeddings", {
    model: "e-1",
    data: [{ index: 0, embedding: [0.5] }],
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
  await replay(
    [vectors],
    (client) => client.embeddings.create({ model: "e", input: "Hi", encoding_format: "float" }),
    { meterProvider: provider },
  );
  expect(Object.keys(await points()).sort()).toEqual([
    "gen_ai.client.inference.usage.input_tokens",
    "gen_ai.client.operation.duration",
  ]);
});

test("the tokens of an answer that is made in the background are counted when it is fetched, once", async () => {
  const { provider, points } = metering();
  const told = (status: string, more: object = {}) =>
    toExchange("/v1/responses", { id: "resp_later", model: "m-1", status, output: [], ...more });
  const done = told("completed", { usage: { input_tokens: 7, output_tokens: 3 } });
  await replay(
    [told("queued"), told("in_progress"), done, done],
    async (client) => {
      await client.responses.create({ model: "m", input: "Hi", background: true });
      for (let look = 0; look < 3; look++) await client.responses.retrieve("resp_later");
    },
    { meterProvider: provider },
  );
  const found = await points();
  const sum = (name: string) =>
    found[`gen_ai.client.inference.usage.${name}`]?.reduce((all, [, n]) => all + Number(n), 0);
  expect([sum("input_tokens"), sum("output_tokens")]).toEqual([7, 3]);
});

describe("legacy names", () => {
  test("are beside the newest, on spans and metrics", async () => {
    const { provider, points } = metering();
    await replay([answer(usage, { system_fingerprint: "fp" })], chat, {
      meterProvider: provider,
      legacyNames: true,
    });
    const [call] = exporter.getFinishedSpans();
    expect(call?.attributes).toMatchObject({
      "gen_ai.provider.name": "openai",
      "gen_ai.system": "openai",
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.prompt_tokens": 100,
      "gen_ai.usage.completion_tokens": 50,
      "gen_ai.openai.response.system_fingerprint": "fp",
    });
    const legacy = { ...dimensions, "gen_ai.system": "openai" };
    const found = await points();
    expect(found["gen_ai.client.token.usage"]).toEqual([
      [{ ...legacy, "gen_ai.token.type": "input" }, 1, 100],
      [{ ...legacy, "gen_ai.token.type": "output" }, 1, 50],
    ]);
    expect(found["gen_ai.client.operation.duration"]).toEqual([[legacy, 1, expect.any(Number)]]);
    expect(found["gen_ai.client.inference.duration"]).toHaveLength(1);
  });

  test("are nowhere unless they are asked for", async () => {
    const { provider, points } = metering();
    await replay([answer(usage)], chat, { meterProvider: provider });
    const names = exporter.getFinishedSpans().flatMap((span) => Object.keys(span.attributes));
    expect(names.filter((name) => /gen_ai\.(system|openai)|prompt_tokens/.test(name))).toEqual([]);
    expect((await points())["gen_ai.client.token.usage"]).toBeUndefined();
  });
});

describe("the meter provider", () => {
  test("may be registered after the instrumentation, and replaced", async () => {
    const [first, second] = [metering(), metering()];
    await replay(
      [answer(usage), answer(usage), answer(usage)],
      async (client) => {
        await chat(client);
        metrics.setGlobalMeterProvider(first.provider);
        await chat(client);
        metrics.disable();
        metrics.setGlobalMeterProvider(second.provider);
        await chat(client);
      },
      {},
    );
    const calls = await Promise.all(
      [first, second].map(
        async ({ points }) => (await points())["gen_ai.client.inference.duration"]?.[0]?.[1],
      ),
    );
    expect(calls).toEqual([1, 1]);
  });

  test("is taken from registerInstrumentations, unless it is the one that does nothing", async () => {
    const [global, passed] = [metering(), metering()];
    const noop = metrics.getMeterProvider();
    const instrumentation = new OpenAIInstrumentation({ tracerProvider });
    instrumentation.enable();
    instrumentation.instrument(OpenAI);
    unpatch = () => instrumentation.disable();
    instrumentation.setMeterProvider(noop);
    metrics.setGlobalMeterProvider(global.provider);
    await replay([answer(usage)], chat);
    instrumentation.setMeterProvider(passed.provider);
    await replay([answer(usage)], chat);
    for (const { points } of [global, passed])
      expect((await points())["gen_ai.client.inference.duration"]?.[0]?.[1]).toBe(1);
  });
});

test("a call that a GenAI span around it reports is measured by that span's instrumentation", async () => {
  const { provider, points } = metering();
  const inSpan = (attributes: Record<string, string>, client: OpenAI) =>
    trace.getTracer("other").startActiveSpan("call", { attributes }, async (span) => {
      await chat(client);
      span.end();
    });
  await replay(
    [answer(usage), answer(usage)],
    async (client) => {
      await inSpan({ "gen_ai.operation.name": "chat" }, client);
      expect(await points()).toEqual({});
      await inSpan({ "openinference.span.kind": "LLM" }, client);
    },
    { meterProvider: provider },
  );
  expect((await points())["gen_ai.client.inference.duration"]?.[0]?.[1]).toBe(1);
});
