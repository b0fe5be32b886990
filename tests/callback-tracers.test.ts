import { LangChainInstrumentation as OpenInference } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { ChatOpenAI, OpenAIClient } from "@langchain/openai";
import { trace } from "@opentelemetry/api";
import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { createReplayServer, type Exchange } from "@thoughtflow/testkit";
import { TraceloopCallbackHandler } from "@traceloop/instrumentation-langchain";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createRecordingProvider,
  type RecordingProvider,
} from "./nested-calls/recording-provider.ts";
import { completion } from "./setups/completion.ts";

let recording: RecordingProvider;
const openInference = new OpenInference();

beforeAll(() => {
  recording = createRecordingProvider();
  instrumentOpenAI(OpenAIClient);
  openInference.setTracerProvider(recording.provider);
});

afterAll(() => recording.shutdown());

const TRACERS = {
  OpenInference: {
    scope: "@arizeai/openinference-instrumentation-langchain",
    handlers: () => {
      openInference.manuallyInstrument(callbackManager);
      return [];
    },
  },
  OpenLLMetry: {
    scope: "openllmetry",
    handlers: () => [new TraceloopCallbackHandler(trace.getTracer("openllmetry"))],
  },
};

const OURS = "@thoughtflow/instrumentation-openai";
const hi = completion({ content: "Hi." });

/** Runs what an app does with a model of LangChain that a tracer of its callbacks watches. */
async function watched(
  name: keyof typeof TRACERS,
  app: (model: ChatOpenAI) => Promise<unknown>,
  answers: readonly Exchange[] = [hi],
) {
  const { scope, handlers } = TRACERS[name];
  await using server = await createReplayServer(answers);
  const configuration = { baseURL: `${server.url}/v1` };
  await app(new ChatOpenAI({ model: "m", apiKey: "k", callbacks: handlers(), configuration }));
  await awaitAllCallbacks();
  const { spans, sessions } = await recording.take();
  const scopeOf = (spanId: string | undefined) =>
    spans.find((one) => one.spanContext().spanId === spanId)?.instrumentationScope.name;
  const steps = sessions.flatMap((session) => session.conversations.flatMap((run) => run.steps));
  return {
    scope,
    /** What a backend adds up, by who says so. */
    reported: spans.flatMap(({ attributes, instrumentationScope }) =>
      ["gen_ai.usage.input_tokens", "llm.token_count.prompt"].flatMap((tokens) =>
        attributes[tokens] === undefined ? [] : [[instrumentationScope.name, attributes[tokens]]],
      ),
    ),
    totals: sessions.map(({ totals }) => totals),
    outer: steps.flatMap(({ span_id: own, outer_span_id: outer }) =>
      outer === undefined ? [] : [[scopeOf(own), outer]],
    ),
    scopeOf,
  };
}

const inRequest = (work: () => Promise<unknown>) =>
  trace.getTracer("app").startActiveSpan("request", async (span) => {
    await work();
    span.end();
  });

const once = { model_calls: 1, input_tokens: 8, output_tokens: 2 };

test("calls side by side each belong to a span of their own", async () => {
  const { scope, reported, totals, outer } = await watched(
    "OpenLLMetry",
    (model) => inRequest(() => model.batch(["One", "Two", "Three"])),
    [hi, hi, hi],
  );
  expect(reported).toEqual([
    [scope, 8],
    [scope, 8],
    [scope, 8],
  ]);
  expect(totals).toHaveLength(1);
  expect(totals[0]).toMatchObject({ model_calls: 3, input_tokens: 24, output_tokens: 6 });
  expect(new Set(outer.map(([, id]) => id)).size).toBe(3);
});

test("side by side without a span of the app nobody can say which belong together: both are counted", async () => {
  const { scope, reported, outer } = await watched(
    "OpenLLMetry",
    (model) => model.batch(["One", "Two"]),
    [hi, hi],
  );
  expect(reported.filter(([name]) => name === OURS)).toEqual([
    [OURS, 8],
    [OURS, 8],
  ]);
  expect(reported.filter(([name]) => name === scope)).toEqual([
    [scope, 8],
    [scope, 8],
  ]);
  expect(outer).toEqual([]);
});

test("a call that the app makes itself beside one of LangChain's is another call", async () => {
  const { reported, totals } = await watched(
    "OpenLLMetry",
    (model) =>
      inRequest(async () => {
        const { baseURL } = model.clientConfig;
        const own = new OpenAIClient({ apiKey: "k", baseURL: String(baseURL) });
        await Promise.all([
          model.invoke("Hello"),
          own.chat.completions.create({ model: "m", messages: [{ role: "user", content: "You" }] }),
        ]);
      }),
    [hi, hi],
  );
  expect(reported.map(([name]) => name).sort()).toEqual([OURS, "openllmetry"]);
  expect(totals[0]).toMatchObject({ model_calls: 2, input_tokens: 16, output_tokens: 4 });
});

// Once it watches, OpenInference does so for all models: its turn is the last.
test.for([
  ["OpenLLMetry", "a request's span"],
  ["OpenLLMetry", "no span"],
  ["OpenInference", "a request's span"],
  ["OpenInference", "no span"],
] as const)("LangChain's call is counted once: %s, %s around it", async ([tracer, around]) => {
  const { scope, reported, totals, outer, scopeOf } = await watched(tracer, (model) => {
    const call = () => model.invoke("Hello");
    return around === "no span" ? call() : inRequest(call);
  });
  expect(reported).toEqual([[scope, 8]]);
  expect(totals).toHaveLength(1);
  expect(totals[0]).toMatchObject(once);
  expect(outer.map(([own, id]) => [own, scopeOf(id)])).toEqual([[OURS, scope]]);
});
