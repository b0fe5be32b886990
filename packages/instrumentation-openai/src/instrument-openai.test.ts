import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange, ReplayServerOptions } from "@thoughtflow/testkit";
import { createReplayServer, loadExchanges } from "@thoughtflow/testkit";
import { createSessionInference } from "@thoughtflow/workflow";
import OpenAI from "openai";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import type { Unpatch } from "./patch.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let unpatch: Unpatch;

beforeAll(() => provider.register());

beforeEach(() => {
  unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider: provider,
    captureContentOnSpans: true,
    sessionInference: createSessionInference(),
  });
});

afterEach(() => {
  endOpenRuns();
  unpatch();
  exporter.reset();
});

async function replay(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<unknown>,
  options: ReplayServerOptions = {},
): Promise<readonly ReadableSpan[]> {
  await using server = await createReplayServer(exchanges, options);
  await app(new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 1 }));
  return [...exporter.getFinishedSpans()];
}

describe("a recorded conversation", () => {
  it("is one run with a span for each call when it is a tool loop", async () => {
    const exchanges = loadExchanges("pydantic-ai-openai/chat-stream-tool-loop");
    const spans = await replay(exchanges, async (client) => {
      for (const { request } of exchanges) {
        const stream = await client.chat.completions.create(
          request.body as OpenAI.ChatCompletionCreateParamsStreaming,
        );
        for await (const _ of stream);
      }
    });
    // The last answer asks for one more tool, so the run is still open: it ends at its last call's end.
    expect(spans.map(({ name }) => name)).toEqual(["chat gpt-4o", "chat gpt-4o", "chat gpt-4o"]);
    endOpenRuns();
    const root = exporter.getFinishedSpans().at(-1);
    expect(root?.name).toBe("invoke_agent");
    expect(root?.endTime).toEqual(spans.at(-1)?.endTime);
    expect(new Set(spans.map(({ parentSpanContext }) => parentSpanContext?.spanId))).toEqual(
      new Set([root?.spanContext().spanId]),
    );
  });
});
