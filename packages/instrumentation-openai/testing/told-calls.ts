import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { Exchange, ReplayServerOptions } from "@thoughtflow/testkit";
import { createReplayServer } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll } from "vitest";
import { endOpenRuns } from "../src/derived-runs.ts";
import { instrumentOpenAI } from "../src/instrument-openai.ts";
import type { Unpatch } from "../src/replace-method.ts";

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
export async function spansOf(
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

/** What a span tells under an attribute name of JSON. */
export const content = (span: ReadableSpan | undefined, name: string): unknown =>
  JSON.parse(String(span?.attributes[name]));

/** The messages that a span tells: what came, what was asked. */
export const output = (span: ReadableSpan | undefined): unknown =>
  content(span, "gen_ai.output.messages");
export const input = (span: ReadableSpan | undefined): unknown =>
  content(span, "gen_ai.input.messages");

/** A stream of server-sent events. */
export const events = (...list: readonly object[]): string =>
  list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** A message of one text, as spans tell it. */
export const says = (role: string, text: string) => ({
  role,
  parts: [{ type: "text", content: text }],
});
