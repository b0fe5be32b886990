import { context, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { endOpenRuns, instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { badAnswers, createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";

const ended: ReadableSpan[] = [];
const provider = new NodeTracerProvider({
  spanProcessors: [
    {
      onStart: () => {},
      onEnd: (span) => void ended.push(span),
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ],
});
beforeAll(() => provider.register());
afterAll(() => {
  trace.disable();
  context.disable();
});

/** What an app gets of an answer: the values it reads, or the error. */
async function gotBy(client: OpenAI, isStream: boolean): Promise<unknown> {
  const request = { model: "m", messages: [{ role: "user" as const, content: "hi" }] };
  try {
    if (!isStream) return await client.chat.completions.create(request);
    const chunks: unknown[] = [];
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true }))
      chunks.push(chunk);
    return chunks;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

test.each(badAnswers.map((answer, n) => ({ ...answer, n })))(
  "$item, $name, $n: reaches the app as it would without us",
  async ({ value }) => {
    const exchange = toExchange("/v1/chat/completions", value);
    await using server = await createReplayServer([exchange, exchange]);
    const options = { baseURL: `${server.url}/v1`, apiKey: "k", maxRetries: 0 };
    const bare = await gotBy(new OpenAI(options), exchange.stream);
    const before = ended.length;
    const unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider });
    try {
      expect(await gotBy(new OpenAI(options), exchange.stream)).toEqual(bare);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      endOpenRuns();
      unpatch();
    }
    expect(ended.slice(before).map(({ name }) => name)).toContain("chat m");
  },
);
