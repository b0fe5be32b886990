import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createReplayServer, loadExchanges } from "@thoughtflow/testkit";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { degradations } from "./degradation.ts";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";

type Sdk = typeof OpenAI;

const versions: readonly (readonly [name: string, load: () => Promise<unknown>])[] = [
  ["openai-4", () => import("openai-4")],
  ["openai-5", () => import("openai-5")],
  ["openai-6", () => import("openai-6")],
  ["openai-74", () => import("openai-74")],
  ["openai", () => import("openai")],
];

const first = (name: string) => loadExchanges(name).slice(0, 1);

const exchanges = [
  ...first("pydantic-ai-openai/chat-tool-loop-retry"),
  ...first("otel-contrib-py/chat-stream-usage-only-chunk"),
  ...first("otel-contrib-py/chat-stream-usage-only-chunk"),
  ...first("pydantic-ai-openai/chat-tool-loop-retry"),
  ...first("pydantic-ai-openai/responses-reasoning-tool-loop"),
  ...first("pydantic-ai-openai/responses-stream-tool-loop"),
  ...first("pydantic-ai-openai/responses-reasoning-tool-loop"),
  ...first("openllmetry-py-core/embeddings-base64"),
  ...first("openinference-agents/chat-401"),
];

/** Every surface once; what the app gets back, as far as it is comparable. */
async function app(client: OpenAI): Promise<unknown> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "x" }];
  const ask = { model: "m", messages };
  const results: unknown[] = [await client.chat.completions.create(ask)];
  for await (const chunk of await client.chat.completions.create({ ...ask, stream: true })) {
    results.push(chunk);
  }
  for await (const chunk of await client.chat.completions.create({ ...ask, stream: true })) {
    results.push(chunk);
    break;
  }
  results.push(await (await client.chat.completions.create(ask).asResponse()).text());
  results.push(await client.responses.create({ model: "r", input: "x" }));
  const events = await client.responses.create({ model: "r", input: "x", stream: true });
  for await (const event of events) results.push(event);
  results.push((await client.responses.parse({ model: "r", input: "x", tools: [] })).output);
  results.push(await client.embeddings.create({ model: "e", input: "x" }));
  const error: unknown = await client.chat.completions.create(ask).catch((reason) => reason);
  results.push((error as Error).message);
  return results;
}

describe("one app on every openai", () => {
  it.each(versions)("%s gives the app the same, and every call a span", async (_name, load) => {
    const { OpenAI: Client } = (await load()) as { OpenAI: Sdk };
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const run = async (): Promise<unknown> => {
      await using server = await createReplayServer(exchanges, { match: "order" });
      return await app(new Client({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 }));
    };
    const bare = await run();
    const unpatch = instrumentOpenAI(Client, { tracerProvider });
    const observed = await run();
    unpatch();
    endOpenRuns();
    expect(observed).toEqual(bare);
    const calls = exporter.getFinishedSpans().filter(({ name }) => name !== "invoke_agent");
    expect(calls.map(brief)).toEqual([
      "chat m tool_call",
      "chat m stop",
      "chat m cancelled",
      "chat m raw_response",
      "chat r tool_call",
      "chat r tool_call",
      "chat r tool_call",
      "embeddings e",
      "chat m error invalid_api_key",
    ]);
    expect(degradations()).toEqual({});
  });
});

function brief({ name, attributes }: ReadableSpan): string {
  const told = [
    attributes["gen_ai.response.finish_reasons"],
    attributes["thoughtflow.outcome"],
    attributes["error.type"],
  ];
  return [name, ...told.filter((value) => value !== undefined)].join(" ");
}
