import type { Span } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createSessionInference } from "@thoughtflow/workflow";
import type OpenAI from "openai";
import { expect } from "vitest";
import { degradations } from "../src/degradation.ts";
import { endOpenRuns } from "../src/derived-runs.ts";
import { instrumentOpenAI } from "../src/instrument-openai.ts";
import { notice, type Scenario } from "./notice.ts";

let started: Span[] = [];
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [
    {
      onStart: (span) => started.push(span),
      onEnd: () => {},
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ],
});

/** Makes context follow promises, and programs' own spans land among the observed ones. To be called once a file. */
export function registerProvider(): void {
  tracerProvider.register();
}

/**
 * Runs a scenario bare and observed and expects that its app noticed the very same, that every span ended and that
 * nothing of ours failed.
 *
 * @param more classes that are observed besides the client's: runners
 * @returns the spans of the observed run in the order of their starts
 */
export async function observedRun(
  Client: typeof OpenAI,
  scenario: Scenario,
  ...more: readonly unknown[]
): Promise<readonly ReadableSpan[]> {
  const bare = await notice(Client, scenario);
  started = [];
  const sessionInference = createSessionInference();
  const options = {
    tracerProvider,
    sessionInference,
    captureContentOnSpans: scenario.content ?? true,
  };
  const undo = [Client, ...more].map((one) => instrumentOpenAI(one, options));
  const observed = await notice(Client, scenario).finally(() => {
    for (const one of undo) one();
  });
  endOpenRuns();
  expect(observed).toEqual(bare);
  expect(degradations()).toEqual({});
  const spans = started.map((span) => span as unknown as ReadableSpan);
  expect(spans.filter((span) => !span.ended).map(({ name }) => name)).toEqual([]);
  return spans;
}
