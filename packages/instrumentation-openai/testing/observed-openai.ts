import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange, ReplayServerOptions } from "@thoughtflow/testkit";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import { createSessionInference } from "@thoughtflow/workflow";
import OpenAI from "openai";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { endOpenRuns } from "../src/derived-runs.ts";
import { instrumentOpenAI } from "../src/instrument-openai.ts";
import type { OpenAIInstrumentationOptions } from "../src/options.ts";
import type { Unpatch } from "../src/replace-method.ts";

/** What the spans of a test are told to; empty again after each. */
export const exporter = new InMemorySpanExporter();
export const provider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
let unpatch: Unpatch | undefined;

/** Observes every client of the package, in place of however it was observed before. */
export function observe(options: OpenAIInstrumentationOptions): void {
  unpatch?.();
  unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider, ...options });
}

beforeAll(() => provider.register());

// Every test begins with a memory of sessions of its own.
beforeEach(() =>
  observe({ captureContentOnSpans: true, sessionInference: createSessionInference() }),
);

afterEach(() => {
  endOpenRuns();
  unpatch?.();
  exporter.reset();
});

/** The spans of an app that a server answers with these exchanges, in the order of their ends. */
export async function replay(
  exchanges: readonly Exchange[],
  app: (client: OpenAI) => Promise<unknown>,
  options: ReplayServerOptions = {},
): Promise<readonly ReadableSpan[]> {
  await using server = await createReplayServer(exchanges, options);
  await app(new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 1 }));
  return [...exporter.getFinishedSpans()];
}

/** The spans of this name. */
export const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name);

/** The roots of runs that were derived. */
export const roots = (spans: readonly ReadableSpan[]): ReadableSpan[] =>
  named(spans, "invoke_agent");

/** What a span tells of its messages without their words. */
export const structure = (span: ReadableSpan | undefined) =>
  JSON.parse(String(span?.attributes["thoughtflow.messages"]));

/** A chat completion with this message. */
export const completion = (message: object, more: object = {}): Exchange =>
  toExchange("/v1/chat/completions", {
    id: "chatcmpl_1",
    model: "m-1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
    ...more,
  });

/** A message that asks for the tool "add". */
export const calling = (id: string): object => ({
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "add", arguments: "{}" } }],
});
