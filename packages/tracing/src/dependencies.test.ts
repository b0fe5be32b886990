import { context, ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, expect, test } from "vitest";
import { recordStep, type StepHandle, userMessage, withRun, withStep } from "./index.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

afterEach(() => exporter.reset());

function spanNamed(name: string): ReadableSpan {
  const span = exporter.getFinishedSpans().find((one) => one.name === name);
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
}

/** What a span says it rests on: its attributes, and its links as type and span id. */
function dependenciesOf(name: string) {
  const { attributes, links } = spanNamed(name);
  return {
    on: attributes["thoughtflow.depends_on"],
    types: attributes["thoughtflow.depends_on.types"],
    links: links.map((link) => [link.attributes?.["thoughtflow.link.type"], link.context.spanId]),
  };
}

const node = (
  name: string,
  dependsOn?: Parameters<typeof recordStep>[0]["dependsOn"],
): StepHandle => recordStep({ label: "node", name, ...(dependsOn !== undefined && { dependsOn }) });

test("a dependency is an attribute, and a link that other backends read too", () => {
  withRun({ agent: "a" }, () => {
    const first = node("first");
    node("second", first);
    const { spanContext } = first;
    expect(spanNamed("node second").links).toEqual([
      {
        context: spanContext,
        attributes: {
          "thoughtflow.link.type": "depends_on",
          "thoughtflow.edge.origin": "declared",
          from: "output",
          to: "input",
        },
      },
    ]);
    expect(dependenciesOf("node second")).toEqual({
      on: [first.id],
      types: undefined,
      links: [["depends_on", spanContext?.spanId]],
    });
  });
});

test("edge types stand item by item once one of them says more than depends_on", () => {
  withRun({ agent: "a" }, () => {
    const [read, asked] = [node("read"), userMessage("why?", { id: "u1" })];
    node("both", [{ on: read, type: "reads" }, "u1", { on: "elsewhere", type: "merges" }]);
    expect(dependenciesOf("node both")).toEqual({
      on: [read.id, "u1", "elsewhere"],
      types: ["reads", "depends_on", "merges"],
      links: [
        ["reads", read.spanContext?.spanId],
        ["depends_on", asked.spanContext?.spanId],
      ],
    });
  });
});

test("what a step comes to rest on while it is open is added, each once", () => {
  withRun({ agent: "a" }, () => {
    const [one, two] = [node("one"), node("two")];
    withStep({ label: "node", name: "late", dependsOn: one }, (step) => {
      step.dependsOn(one, two);
      step.dependsOn({ on: two, type: "depends_on" }, { on: two, type: "reads" });
    });
    expect(dependenciesOf("node late")).toEqual({
      on: [one.id, two.id, two.id],
      types: ["depends_on", "depends_on", "reads"],
      links: [
        ["depends_on", one.spanContext?.spanId],
        ["depends_on", two.spanContext?.spanId],
        ["reads", two.spanContext?.spanId],
      ],
    });
  });
});

test("a step of another run is named with its run, one of another session with its trace", () => {
  const sent = withRun({ id: "run_1", session: "s" }, () => node("here"));
  const far = withRun({ id: "run_2", session: "other" }, () => node("far"));
  // What a queue carries to another process.
  const plain = JSON.parse(JSON.stringify({ id: sent.id, runId: sent.runId }));
  withRun({ id: "run_3", session: "s" }, () => {
    node("there", [sent, far, `run_1/${sent.id}`]);
    node("received", plain);
  });
  expect(dependenciesOf("node there")).toEqual({
    on: [`run_1/${sent.id}`, `${far.spanContext?.traceId}/${far.id}`],
    types: undefined,
    links: [
      ["depends_on", sent.spanContext?.spanId],
      ["depends_on", far.spanContext?.spanId],
    ],
  });
  expect(dependenciesOf("node received")).toEqual({
    on: [`run_1/${sent.id}`],
    types: undefined,
    links: [],
  });
});

test("a root span has no links: those of a run sit on its first step", () => {
  const before = withRun({ id: "run_1", agent: "before" }, () => node("cause"));
  withRun({ id: "run_2", agent: "after", dependsOn: before }, (run) => {
    node("next");
    run.dependsOn({ on: "run_0/x", type: "continues" });
    node("last");
  });
  expect(dependenciesOf("invoke_agent after")).toEqual({
    on: [`run_1/${before.id}`, "run_0/x"],
    types: ["depends_on", "continues"],
    links: [],
  });
  expect(dependenciesOf("node next")).toEqual({
    on: undefined,
    types: undefined,
    links: [["depends_on", before.spanContext?.spanId]],
  });
  expect(dependenciesOf("node last").links).toEqual([]);
});

test("a step whose parent is another process's span gets a run to hang its links under", () => {
  const remote = {
    traceId: "1".repeat(32),
    spanId: "2".repeat(16),
    traceFlags: TraceFlags.SAMPLED,
  };
  const cause = node("cause");
  exporter.reset();
  const received = trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  context.with(received, () => node("effect", cause));
  const [effect, root] = exporter.getFinishedSpans();
  expect([root?.name, root?.parentSpanContext?.spanId, root?.links]).toEqual([
    "invoke_agent",
    remote.spanId,
    [],
  ]);
  expect(effect?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
  expect(effect?.links).toHaveLength(1);
});

test("no dependency is lost to the SDK's limit of 128 links", () => {
  withRun({ agent: "a" }, () => {
    const many = Array.from({ length: 200 }, (_, index) => node(`n${index}`));
    node("sum", many);
    expect(dependenciesOf("node sum").on).toEqual(many.map(({ id }) => id));
  });
});
