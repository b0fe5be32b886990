import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, expect, test } from "vitest";
import { recordThought, withRun } from "./index.ts";
import { contentAttributesOf, contentOf } from "./internal.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

afterEach(() => exporter.reset());

const thoughts = () => exporter.getFinishedSpans().filter(({ name }) => name === "thought");

const edges = () =>
  thoughts().map(({ attributes }) => [
    attributes["thoughtflow.depends_on"],
    attributes["thoughtflow.depends_on.types"],
  ]);

test("a thought says what kind it is and where it stands, and its payload has the field names of its sources", () => {
  withRun({ session: "full" }, () => {
    recordThought({ id: "plan", thought: "First the weather.", type: "planning", confidence: 0.9 });
    recordThought({
      thought: "Redis or memory?",
      type: "decision_frame",
      confidence: "low",
      relatedTo: "plan",
      totalThoughts: 5,
      data: { options: [{ label: "redis" }] },
    });
  });
  const [, second] = thoughts();
  const content = second && contentOf(second);
  expect(second?.attributes).toMatchObject({
    "thoughtflow.step.id": "thought-2",
    "thoughtflow.step.label": "thought",
    "thoughtflow.thought.number": 2,
    "thoughtflow.thought.type": "decision_frame",
    "thoughtflow.thought.confidence": "low",
    "thoughtflow.depends_on": ["plan", "plan"],
    "thoughtflow.depends_on.types": ["related_to", "follows"],
  });
  expect(content && contentAttributesOf(content)).toEqual({
    "thoughtflow.step.started": JSON.stringify({
      thought_id: "thought-2",
      thought: "Redis or memory?",
      thought_type: "decision_frame",
      confidence: "low",
      related_to: "plan",
      thoughtNumber: 2,
      totalThoughts: 5,
      options: [{ label: "redis" }],
    }),
  });
});

test("branches go on from where they left, and the main track after the greatest number of all", () => {
  const numbers = withRun({ session: "branches" }, () =>
    [
      { thought: "problem" },
      { thought: "constraints" },
      { thought: "redis", branchId: "redis", branchFromThought: 2 },
      { thought: "redis costs", branchId: "redis" },
      { thought: "memory", branchId: "memory", branchFromThought: 2 },
      { thought: "memory costs", branchId: "memory" },
      { thought: "compare" },
    ].map((options) => {
      const { number, id } = recordThought(options);
      return [number, id];
    }),
  );
  expect(numbers).toEqual([
    [1, "thought-1"],
    [2, "thought-2"],
    [3, "thought-3"],
    [4, "thought-4"],
    [3, "thought-3~2"],
    [4, "thought-4~2"],
    [5, "thought-5"],
  ]);
  expect(edges().slice(2, 4)).toEqual([
    [["thought-2"], ["branches_from"]],
    [["thought-3"], ["follows"]],
  ]);
});

test("a revision leaves what it revises and rests on it, also in a later run of the session", () => {
  withRun({ session: "revised", id: "r1" }, () => {
    recordThought({ id: "parser", thought: "The bug is in the parser." });
  });
  withRun({ session: "revised", id: "r2" }, () => {
    recordThought({ id: "tokenizer", thought: "No, the tokenizer.", revisesThought: 1 });
    expect(recordThought({ id: "parser", thought: "Fixed." }).id).toBe("parser~2");
  });
  expect(edges()).toEqual([
    [undefined, undefined],
    [
      ["parser", "parser"],
      ["follows", "revises"],
    ],
    [["tokenizer"], ["follows"]],
  ]);
  expect(thoughts()[1]?.attributes).toMatchObject({
    "thoughtflow.thought.number": 2,
    "thoughtflow.thought.revises": 1,
  });
});

test("a thought that ends branches rests on the last thought of each, with a link to it", () => {
  withRun({ session: "merged" }, () => {
    recordThought({ id: "start", thought: "Two ways." });
    recordThought({ id: "left", thought: "Left.", branchId: "l", branchFromThought: 1 });
    recordThought({ id: "right", thought: "Right.", branchId: "r", branchFromThought: 1 });
    recordThought({
      id: "both",
      thought: "Both.",
      mergesBranches: ["l", "r"],
      resolution: "synthesized",
    });
  });
  const merge = thoughts()[3];
  expect(merge?.attributes).toMatchObject({
    "thoughtflow.thought.merges": ["l", "r"],
    "thoughtflow.thought.resolution": "synthesized",
    "thoughtflow.depends_on": ["start", "left", "right"],
    "thoughtflow.depends_on.types": ["follows", "merges", "merges"],
  });
  expect(merge?.links.map(({ attributes }) => attributes?.["thoughtflow.link.type"])).toEqual([
    "follows",
    "merges",
    "merges",
  ]);
});

test("a thought outside any run opens one", () => {
  recordThought({ thought: "Where am I?" });
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["thought", "invoke_agent"]);
});

test("a tie to a thought or branch that is not there is kept", () => {
  withRun({ session: "dangling" }, () => {
    recordThought({ thought: "One." });
    recordThought({ thought: "Not so.", revisesThought: 99 });
    recordThought({ thought: "Aside.", branchId: "b", branchFromThought: 77 });
    recordThought({ thought: "Both.", mergesBranches: ["c"] });
  });
  expect(edges()).toEqual([
    [undefined, undefined],
    [
      ["thought-1", "thought:99"],
      ["follows", "revises"],
    ],
    [["thought:77"], ["branches_from"]],
    [
      ["thought-2", "branch:c"],
      ["follows", "merges"],
    ],
  ]);
});
