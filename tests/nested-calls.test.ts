import { setImmediate as nextTurn } from "node:timers/promises";
import { OpenTelemetry } from "@ai-sdk/otel";
import { OpenAIInstrumentation as OpenInference } from "@arizeai/openinference-instrumentation-openai";
import { type Attributes, context, trace } from "@opentelemetry/api";
import { instrumentOpenAI, markModelCall } from "@thoughtflow/instrumentation-openai";
import { createReplayServer } from "@thoughtflow/testkit";
import { generateText } from "ai";
import OpenAI from "openai";
import OtherOpenAI from "openai-6";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openaiModel } from "./nested-calls/openai-model.ts";
import {
  createRecordingProvider,
  type RecordingProvider,
} from "./nested-calls/recording-provider.ts";
import { completion } from "./setups/completion.ts";

let recording: RecordingProvider;

beforeAll(() => {
  recording = createRecordingProvider();
  instrumentOpenAI(OpenAI);
});

afterAll(() => recording.shutdown());

/** Runs one model call in the app's way. */
async function called(
  app: (openai: OpenAI) => Promise<unknown>,
  Client: new (options: { apiKey: string; baseURL: string }) => unknown = OpenAI,
) {
  await using server = await createReplayServer([completion({ content: "Hi." })]);
  await app(new Client({ apiKey: "k", baseURL: `${server.url}/v1` }) as OpenAI);
  const { spans, sessions } = await recording.take();
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  return {
    /** What a backend adds up. */
    reported: spans.flatMap(({ attributes }) => [
      ...tokens(attributes, "gen_ai.usage.input_tokens"),
      ...tokens(attributes, "llm.token_count.prompt"),
    ]),
    totals: session?.totals,
    answers: steps.filter((step) => step.label === "assistant_message").length,
    nested: steps.flatMap(({ span_id, outer_span_id: outer, usage }) =>
      outer === undefined ? [] : [{ around: nameOf(outer), own: nameOf(span_id), usage }],
    ),
  };
  function nameOf(spanId: string | undefined) {
    const span = spans.find((one) => one.spanContext().spanId === spanId);
    return `${span?.instrumentationScope.name}: ${span?.name}`;
  }
}

function tokens(attributes: Attributes, name: string): unknown[] {
  return attributes[name] === undefined ? [] : [attributes[name]];
}

const create = (openai: OpenAI) =>
  openai.chat.completions.create({ model: "m", messages: [{ role: "user", content: "Hello" }] });

const once = { model_calls: 1, input_tokens: 8, output_tokens: 2 };
const usage = { input_tokens: 8, output_tokens: 2 };
const ours = "@thoughtflow/instrumentation-openai: chat m";

test("a call that the Vercel AI SDK reports too is counted once, here and in a backend", async () => {
  const { totals, reported, nested, answers } = await called((openai) =>
    generateText({
      model: openaiModel(openai, "m"),
      prompt: "Hello",
      telemetry: { isEnabled: true, integrations: [new OpenTelemetry()] },
    }),
  );
  expect(totals).toMatchObject(once);
  expect(totals?.cost?.calls).toEqual({ unknown_model: 1 });
  // The second is the agent's own sum, which backends know as one.
  expect(reported).toEqual([8, 8]);
  expect(nested).toEqual([{ around: "gen_ai: chat m", own: ours, usage }]);
  expect(answers).toBe(1);
});

test("spans of other shapes around a call are seen, and the call is counted once", async () => {
  const shapes: readonly Attributes[] = [
    { "gen_ai.operation.name": "chat" },
    { "openinference.span.kind": "LLM" },
    { "ai.operationId": "ai.streamText.doStream" },
    { "llm.request.type": "chat" },
    { "langfuse.observation.type": "generation" },
    { "langsmith.span.kind": "llm" },
  ];
  for (const shape of shapes) {
    const { totals, reported, nested } = await called((openai) => inSpan(shape, create, openai));
    expect(totals).toMatchObject(once);
    expect(reported).toEqual([8]);
    expect(nested).toEqual([{ around: "other: call", own: ours, usage }]);
  }
});

test("a span that says only in the context that it reports a call is believed", async () => {
  const { totals, nested } = await called((openai) =>
    inSpan(
      {},
      (client) => context.with(markModelCall(context.active()), () => create(client)),
      openai,
    ),
  );
  expect(totals).toMatchObject(once);
  expect(nested).toEqual([{ around: "other: call", own: ours, usage }]);
});

test("an agent, a tool or a request around a call reports no call", async () => {
  const shapes: readonly Attributes[] = [
    { "gen_ai.operation.name": "invoke_agent" },
    { "openinference.span.kind": "AGENT" },
    { "ai.operationId": "ai.toolCall" },
    { "http.request.method": "POST" },
  ];
  for (const shape of shapes) {
    const { totals, nested, reported } = await called((openai) =>
      inSpan(shape, create, openai, {}),
    );
    expect(totals).toMatchObject(once);
    expect(nested).toEqual([]);
    expect(reported).toEqual([8]);
  }
});

test("where only the outer span knows the tokens, they are its", async () => {
  const { totals, nested } = await called((openai) =>
    inSpan(
      { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
      async (client) => {
        await client.chat.completions.create({ model: "m", messages: [] }).asResponse();
        // A raw response is known for one when nobody has asked for its answer in the same tick.
        await nextTurn();
      },
      openai,
    ),
  );
  expect(totals).toMatchObject(once);
  expect(totals?.cost?.calls).toEqual({ unknown_model: 1 });
  expect(nested).toEqual([{ around: "other: call", own: ours, usage: undefined }]);
});

test("another answer that the app gets inside of ours, by a fetch of its own, is another call", async () => {
  const { totals, reported, nested } = await called((openai) => {
    const routed = openai.withOptions({
      fetch: (...request) =>
        inSpan({ "gen_ai.operation.name": "chat" }, () => fetch(...request), openai, {
          "gen_ai.response.id": "another",
          "gen_ai.usage.input_tokens": 20,
        }),
    });
    return create(routed);
  });
  expect(totals).toMatchObject({ model_calls: 2, input_tokens: 28 });
  expect([...reported].sort()).toEqual([20, 8]);
  expect(nested).toEqual([]);
});

test("a call that OpenInference reports too is counted once", async () => {
  const instrumentation = new OpenInference();
  instrumentation.setTracerProvider(recording.provider);
  instrumentation.manuallyInstrument(OpenAI);
  const { totals, reported, nested, answers } = await called(create);
  expect(totals).toMatchObject(once);
  expect(reported).toEqual([8]);
  expect(nested).toEqual([
    {
      around: "@arizeai/openinference-instrumentation-openai: OpenAI Chat Completions",
      own: ours,
      usage,
    },
  ]);
  expect(answers).toBe(1);
});

test("a call whose span of OpenInference stands inside ours is counted once", async () => {
  const instrumentation = new OpenInference();
  instrumentation.setTracerProvider(recording.provider);
  instrumentation.manuallyInstrument(OtherOpenAI as unknown as typeof OpenAI);
  instrumentOpenAI(OtherOpenAI);
  const { totals, reported, nested } = await called(create, OtherOpenAI);
  expect(totals).toMatchObject(once);
  expect(reported).toEqual([8]);
  expect(nested).toEqual([
    {
      around: ours,
      own: "@arizeai/openinference-instrumentation-openai: OpenAI Chat Completions",
      usage,
    },
  ]);
});

/** Another instrumentation's span around what is called; it reports the tokens as its attributes do. */
function inSpan<Result>(
  attributes: Attributes,
  call: (openai: OpenAI) => Promise<Result>,
  openai: OpenAI,
  atEnd: Attributes = { "gen_ai.usage.input_tokens": 8, "gen_ai.usage.output_tokens": 2 },
): Promise<Result> {
  return trace.getTracer("other").startActiveSpan("call", { attributes }, async (span) => {
    try {
      return await call(openai);
    } finally {
      span.setAttributes(atEnd);
      span.end();
    }
  });
}
