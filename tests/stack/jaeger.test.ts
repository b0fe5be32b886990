import type { Run, Session, Step } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
  ATTR_THOUGHTFLOW_EDGE_ORIGIN,
  ATTR_THOUGHTFLOW_LINK_TYPE,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTRIBUTION_INFORMED_BY,
} from "@thoughtflow/semconv";
import { beforeAll, describe, expect, test } from "vitest";
import { type Jaeger, startJaeger } from "./jaeger.ts";
import type { JaegerSpan } from "./jaeger-client.ts";
import { type FinishedApp, runApp } from "./run-app.ts";

let jaeger: Jaeger;

beforeAll(async () => {
  jaeger = await startJaeger();
  return () => jaeger[Symbol.asyncDispose]();
});

const INTERNAL = 1;
const CLIENT = 3;

function onlyRun({ sessions }: FinishedApp): { readonly session: Session; readonly run: Run } {
  const [session, ...others] = sessions;
  const [run, ...otherRuns] = session?.conversations ?? [];
  if (session === undefined || run === undefined) throw new Error("the app left no run behind");
  expect([...others, ...otherRuns], "one session with one run").toEqual([]);
  return { session, run };
}

/** A step and a span, said in the same words. */
interface Told {
  readonly spanId: string | undefined;
  readonly model: unknown;
  readonly input: unknown;
  readonly output: unknown;
}

const toldByFile = ({ span_id, payload_started, usage }: Step): Told => ({
  spanId: span_id,
  model: payload_started?.["model"],
  input: usage?.input_tokens,
  output: usage?.output_tokens,
});

const toldByTrace = ({ spanId, attributes }: JaegerSpan): Told => ({
  spanId,
  model: attributes[ATTR_GEN_AI_REQUEST_MODEL],
  input: attributes[ATTR_GEN_AI_USAGE_INPUT_TOKENS],
  output: attributes[ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
});

describe("a chat tool loop of an unmodified app", () => {
  let app: FinishedApp;
  let trace: readonly JaegerSpan[];

  beforeAll(async () => {
    app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
      OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    });
    trace = await jaeger.trace(onlyRun(app).run.trace_id ?? "", 4);
  });

  test("gets its answer as without us", () => {
    expect(app.stdout).toBe("YES\n");
  });

  test("is one tree: a root that nobody opened, and the calls under it", () => {
    const [root] = trace;
    expect(trace.map(({ name, kind, parentSpanId }) => [name, kind, parentSpanId])).toEqual([
      ["invoke_agent", INTERNAL, undefined],
      ["chat gpt-4o-mini", CLIENT, root?.spanId],
      ["chat gpt-4o-mini", CLIENT, root?.spanId],
      ["chat gpt-4o-mini", CLIENT, root?.spanId],
    ]);
  });

  test("has what the GenAI view reads", () => {
    const [root, first] = trace;
    expect(root?.attributes).toMatchObject({
      [ATTR_GEN_AI_OPERATION_NAME]: "invoke_agent",
      [ATTR_THOUGHTFLOW_ORIGIN]: "derived",
    });
    expect(first?.attributes).toMatchObject({
      [ATTR_GEN_AI_OPERATION_NAME]: "chat",
      [ATTR_GEN_AI_PROVIDER_NAME]: "openai",
      [ATTR_GEN_AI_REQUEST_MODEL]: "gpt-4o-mini",
      [ATTR_GEN_AI_RESPONSE_MODEL]: "gpt-4o-mini-2024-07-18",
      [ATTR_GEN_AI_RESPONSE_ID]: expect.stringMatching(/^chatcmpl-/),
      [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: ["tool_call"],
      [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: 92,
      [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: 17,
    });
  });

  test("names its session and its run on every span, as the file does", () => {
    const { session, run } = onlyRun(app);
    const ids = trace.map(({ attributes }) => [
      attributes[ATTR_SESSION_ID],
      attributes[ATTR_THOUGHTFLOW_RUN_ID],
    ]);
    expect(ids).toEqual(trace.map(() => [session.session_id, run.conversation_id]));
    expect(run.span_id).toBe(trace[0]?.spanId);
  });

  test("is the same story in the file and in the trace", () => {
    const recorded = onlyRun(app).run.steps.filter(({ origin }) => origin === "recorded");
    expect(recorded.map(toldByFile)).toEqual(trace.slice(1).map(toldByTrace));
  });

  test("is drawn without a warning, every call under its root", async () => {
    const spans = await jaeger.uiTrace(trace[0]?.traceId ?? "");
    expect(spans.flatMap(({ warnings }) => warnings ?? [])).toEqual([]);
    const [root, first, second] = trace.map(({ spanId }) => spanId);
    const references = spans.flatMap(({ references }) =>
      references.map(({ refType, spanID }) => `${refType} ${spanID}`),
    );
    // Every call is linked to the one whose tools it brings the outputs of.
    expect(references.toSorted()).toEqual(
      [
        `CHILD_OF ${root}`,
        `CHILD_OF ${root}`,
        `CHILD_OF ${root}`,
        `FOLLOWS_FROM ${first}`,
        `FOLLOWS_FROM ${second}`,
      ].toSorted(),
    );
  });

  test("says nothing of what was said", () => {
    expect(JSON.stringify(trace)).not.toContain("dragons?");
  });
});

describe("a loop that openai turns itself", () => {
  test("is one tree of calls and tools, linked both ways, and drawn without a warning", async () => {
    const app = await runApp("run-tools.mjs", "simonw-llm/chat-tool-chain", {
      OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    });
    expect(app.stdout).toBe("YES\n");
    const { run } = onlyRun(app);
    const trace = await jaeger.trace(run.trace_id ?? "", 6);
    const names = new Map(trace.map(({ spanId }, i) => [spanId, i]));
    const linksOf = ({ links }: JaegerSpan) =>
      links.map(({ spanId, attributes }) => [
        attributes[ATTR_THOUGHTFLOW_LINK_TYPE],
        attributes[ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE],
        names.get(spanId),
      ]);
    expect(
      trace.map((span) => [span.name, names.get(span.parentSpanId ?? ""), linksOf(span)]),
    ).toEqual([
      ["invoke_agent", undefined, []],
      ["chat gpt-4o-mini", 0, []],
      ["execute_tool lookup_population", 0, [["requests", "CAUSED_BY_GENERATION", 1]]],
      [
        "chat gpt-4o-mini",
        0,
        [
          ["reads", "INFORMED_BY", 2],
          ["continues", "INFORMED_BY", 1],
        ],
      ],
      ["execute_tool can_have_dragons", 0, [["requests", "CAUSED_BY_GENERATION", 3]]],
      [
        "chat gpt-4o-mini",
        0,
        [
          ["reads", "INFORMED_BY", 4],
          ["continues", "INFORMED_BY", 3],
        ],
      ],
    ]);
    const recorded = run.steps.filter(({ origin }) => origin === "recorded");
    expect(recorded.map(({ span_id }) => span_id)).toEqual(
      trace.slice(1).map(({ spanId }) => spanId),
    );
    const drawn = await jaeger.uiTrace(run.trace_id ?? "");
    expect(drawn.flatMap(({ warnings }) => warnings ?? [])).toEqual([]);
    expect(
      drawn
        .filter(({ spanID }) => spanID !== trace[0]?.spanId)
        .map(({ references }) => references.find(({ refType }) => refType === "CHILD_OF")?.spanID),
    ).toEqual(trace.slice(1).map(() => trace[0]?.spanId));
  });
});

describe("with content switched on for OTLP", () => {
  test("a call carries its messages as the GenAI view parses them", async () => {
    const app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
      OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    });
    const last = (await jaeger.trace(onlyRun(app).run.trace_id ?? "", 4)).at(-1);
    const input: unknown = JSON.parse(String(last?.attributes[ATTR_GEN_AI_INPUT_MESSAGES]));
    const output: unknown = JSON.parse(String(last?.attributes[ATTR_GEN_AI_OUTPUT_MESSAGES]));
    expect(input).toMatchObject([
      { role: "user" },
      { role: "assistant", parts: [{ type: "tool_call", name: "lookup_population" }] },
      { role: "tool", parts: [{ type: "tool_call_response" }] },
      { role: "assistant", parts: [{ type: "tool_call", name: "can_have_dragons" }] },
      { role: "tool", parts: [{ type: "tool_call_response" }] },
    ]);
    expect(output).toMatchObject([
      { role: "assistant", parts: [{ type: "text", content: "YES" }] },
    ]);
  });
});

describe("a streamed Responses tool loop of an unmodified app", () => {
  test("is one tree, and the same story in the file and in the trace", async () => {
    const app = await runApp(
      "responses-tool-loop.mjs",
      "simonw-llm/responses-stream-reasoning-tool-loop",
      { OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpEndpoint },
    );
    const { run } = onlyRun(app);
    const trace = await jaeger.trace(run.trace_id ?? "", 3);
    const [root] = trace;
    expect(trace.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ["invoke_agent", undefined],
      ["chat gpt-5.5", root?.spanId],
      ["chat gpt-5.5", root?.spanId],
    ]);
    const recorded = run.steps.filter(({ origin }) => origin === "recorded");
    expect(recorded.map(toldByFile)).toEqual(trace.slice(1).map(toldByTrace));
  });
});

describe("a program that declares what its steps rest on", () => {
  let ask: readonly JaegerSpan[];
  let decide: readonly JaegerSpan[];
  let decideSteps: readonly Step[];

  beforeAll(async () => {
    const { sessions } = await runApp("declared.mjs", undefined, {
      OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    });
    const [first, second] = sessions[0]?.conversations ?? [];
    ask = await jaeger.trace(first?.trace_id ?? "", 3);
    decide = await jaeger.trace(second?.trace_id ?? "", 2);
    decideSteps = second?.steps ?? [];
  });

  const link = (to: JaegerSpan | undefined, type: string): unknown => ({
    spanId: to?.spanId,
    attributes: {
      [ATTR_THOUGHTFLOW_LINK_TYPE]: type,
      [ATTR_THOUGHTFLOW_EDGE_ORIGIN]: "declared",
      ...(type === "reads" && { [ATTR_GEN_AI_ATTRIBUTION_LINK_TYPE]: ATTRIBUTION_INFORMED_BY }),
      from: "output",
      to: "input",
    },
  });

  test("has a link and the attribute on the step, and no link on the root", () => {
    const [root, question, forecast] = ask;
    expect(ask.map(({ name, links }) => [name, links])).toEqual([
      ["invoke_agent weather", []],
      ["user_message", []],
      ["execute_tool forecast", [link(question, "depends_on")]],
    ]);
    expect(forecast?.parentSpanId).toBe(root?.spanId);
    expect(forecast?.attributes[ATTR_THOUGHTFLOW_DEPENDS_ON]).toEqual(["question"]);
  });

  test("reaches into another run's trace, in the file as in Jaeger", () => {
    const [, , forecast] = ask;
    const [root, umbrella] = decide;
    expect(root?.links).toEqual([]);
    expect(umbrella?.links).toEqual([link(forecast, "reads")]);
    expect(umbrella?.attributes).toMatchObject({
      [ATTR_THOUGHTFLOW_DEPENDS_ON]: ["ask/forecast"],
      [ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES]: ["reads"],
    });
    expect(decideSteps).toMatchObject([
      {
        step_id: "umbrella",
        span_id: umbrella?.spanId,
        // No run is named where the session has only one step of that id.
        depends_on: "forecast",
        edges: [{ to: "forecast", type: "reads", origin: "declared" }],
      },
    ]);
  });

  test("is drawn as a reference beside the tree", async () => {
    const [root, question, forecast] = ask;
    const drawn = await jaeger.uiTrace(root?.traceId ?? "");
    const references = drawn.find(({ spanID }) => spanID === forecast?.spanId)?.references;
    expect(references?.map(({ refType, spanID }) => [refType, spanID])).toEqual([
      ["CHILD_OF", root?.spanId],
      ["FOLLOWS_FROM", question?.spanId],
    ]);
  });
});
