import { SpanStatusCode } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, expect, test } from "vitest";
import { traceNode, traceNodes, withRun } from "./index.ts";
import { contentAttributesOf, contentOf } from "./internal.ts";

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
afterEach(() => exporter.reset());

test("each call of a node is a step with what it returned, and the function stays what it was", async () => {
  async function reply(state: { readonly text: string }, words: number) {
    return { text: state.text.slice(0, words) };
  }
  const traced = traceNode("reply", reply);
  expect([traced.name, traced.length]).toEqual(["reply", 2]);
  const said = await withRun({ name: "graph" }, () => traced({ text: "18 degrees" }, 2));
  expect(said).toEqual({ text: "18" });
  const [span] = exporter.getFinishedSpans();
  expect(span?.attributes["thoughtflow.step.label"]).toBe("node");
  const content = span && contentOf(span);
  const [started, completed] = ["thoughtflow.step.started", "thoughtflow.step.completed"].map(
    (name) => JSON.parse(String(content && contentAttributesOf(content)[name])),
  );
  expect(started).toEqual({ name: "reply" });
  expect(completed).toEqual({ result: { text: "18" } });
});

test("what a node throws reaches the caller as it is", () => {
  const refused = new Error("refused");
  const broken = traceNode("reply", () => {
    throw refused;
  });
  expect(() => broken()).toThrow(refused);
  const [node] = exporter.getFinishedSpans();
  expect([node?.name, node?.status.code]).toEqual(["node reply", SpanStatusCode.ERROR]);
});

test("of a map each function is traced under its key", () => {
  const nodes = traceNodes({ plan: () => "planned", retries: 3 });
  expect([nodes.plan(), nodes.retries]).toEqual(["planned", 3]);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toContain("node plan");
  expect(() => traceNode("", () => {})).toThrow(TypeError);
  expect(() => traceNodes(new Map())).toThrow(TypeError);
});
