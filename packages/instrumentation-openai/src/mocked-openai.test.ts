import { createRequire } from "node:module";
import { trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterEach, expect, it, vi } from "vitest";
import { instrumentOpenAI } from "./instrument-openai.ts";

vi.mock("openai");

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});

afterEach(() => {
  exporter.reset();
  trace.disable();
});

it("an openai that vi.mock has replaced gives what the test made it give, and no span", async () => {
  const undo = instrumentOpenAI(OpenAI, { tracerProvider });
  const client = new OpenAI({ apiKey: "k" });
  expect(vi.isMockFunction(OpenAI)).toBe(true);
  expect(vi.mocked(OpenAI).mock.calls).toEqual([[{ apiKey: "k" }]]);
  expect(client.chat?.completions).toBeUndefined();
  expect(exporter.getFinishedSpans()).toEqual([]);
  undo();
});

it("the CommonJS and the ES copy of one openai are observed each, once, and given back", async () => {
  const Required: typeof OpenAI = createRequire(import.meta.url)("openai").OpenAI;
  const { OpenAI: Imported } = await vi.importActual<{ OpenAI: typeof OpenAI }>("openai");
  expect(Required).not.toBe(Imported);
  const bare = [Required, Imported].map((one) => one.Embeddings.prototype.create);
  const undo = [Required, Imported].map((one) => instrumentOpenAI(one, { tracerProvider }));
  const answer = { object: "list", data: [], model: "m-1", usage: { prompt_tokens: 1 } };
  await using server = await createReplayServer([toExchange("/", answer), toExchange("/", answer)]);
  for (const Copy of [Required, Imported]) {
    const client = new Copy({ apiKey: "k", baseURL: `${server.url}/v1` });
    const { model } = await client.embeddings.create({
      model: "m",
      input: "x",
      encoding_format: "float",
    });
    expect(model).toBe("m-1");
  }
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
    "embeddings m",
    "embeddings m",
  ]);
  for (const one of undo) one();
  expect([Required, Imported].map((one) => one.Embeddings.prototype.create)).toEqual(bare);
});
