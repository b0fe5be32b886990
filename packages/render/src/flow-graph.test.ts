import type { Session, Step } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { longSession } from "../fixtures/sessions.ts";
import { endId, type FlowGraph, flowGraph } from "./flow-graph.ts";

function outline(graph: FlowGraph) {
  return {
    lanes: graph.lanes.map((lane) =>
      `${lane.id}: ${lane.boxes.map((box) => box.id).join(" ")}`.trim(),
    ),
    edges: graph.edges.map(({ from, to, style }) => `${endId(from)} ${style} ${endId(to)}`),
  };
}

function session(...runs: (readonly [id: string, steps: Step[]])[]): Session {
  return {
    session_id: "s",
    conversations: runs.map(([id, steps]) => ({ conversation_id: id, trace_id: `t_${id}`, steps })),
  };
}

test("a run that has nothing but steps of other libraries shows them: its figures would stand over nothing", () => {
  const generic = (step_id: string): Step => ({ step_id, label: "generic" });
  const graph = flowGraph(
    session(
      ["asked", [generic("http"), { step_id: "a", label: "node" }]],
      ["compacted", [generic("boundary"), generic("summary")]],
    ),
  );
  expect(outline(graph).lanes).toEqual(["r1: r1s1", "r2: r2s1 r2s2"]);
});

describe("edges", () => {
  test("are found in the own run, in the session, by run or trace and step, and by an alias", () => {
    const graph = flowGraph(
      session(
        [
          "one",
          [
            { step_id: "a", label: "node" },
            { step_id: "b", label: "node", aliases: ["old"] },
          ],
        ],
        [
          "two",
          [
            { step_id: "a", label: "node" },
            { step_id: "c", label: "node", depends_on: ["a", "one/a", "t_one/b"] },
            { step_id: "d", label: "node", depends_on: ["old", "gone", "d", "other/x"] },
          ],
        ],
      ),
    );
    expect(outline(graph)).toEqual({
      lanes: ["r1: r1s1 r1s2", "r2: r2s1 r2s2 r2s3"],
      edges: [
        "r2s1 declared r2s2",
        "r1s1 declared r2s2",
        "r1s2 declared r2s2",
        "r1s2 declared r2s3",
        "r1s1 order r1s2",
        "r1 order r2",
      ],
    });
  });

  test("between folded runs make the line of their order needless", () => {
    const steps = (run: number): Step[] =>
      Array.from({ length: 150 }, (_, at) => ({
        step_id: `${run}.${at}`,
        label: "node",
        ...(run === 2 && at === 0 && { depends_on: "1.149" }),
      }));
    const graph = flowGraph(session(["one", steps(1)], ["two", steps(2)], ["three", steps(3)]));
    expect(outline(graph)).toEqual({
      lanes: ["r1:", "r2:", "r3:"],
      edges: ["r1 declared r2", "r2 order r3"],
    });
  });

  test("are one for each pair, the strongest origin speaking", () => {
    const edges = (["inferred", "declared", "observed"] as const).map((origin) => ({
      to: "a",
      type: origin,
      origin,
    }));
    const steps: Step[] = [
      { step_id: "a", label: "node" },
      { step_id: "b", label: "node", edges, depends_on: "a" },
    ];
    expect(outline(flowGraph(session(["one", steps]))).edges).toEqual(["r1s1 declared r1s2"]);
  });
});

test("steps of other libraries are hidden unless something rests on them", () => {
  const steps: Step[] = [
    { step_id: "http", label: "generic" },
    { step_id: "db", label: "generic" },
    { step_id: "b", label: "node", depends_on: "db" },
  ];
  const one = session(["one", steps]);
  expect(outline(flowGraph(one)).lanes).toEqual(["r1: r1s1 r1s2"]);
  expect(outline(flowGraph(one, { run: "one" })).lanes).toEqual(["r1: r1s1 r1s2 r1s3"]);
});

describe("a session too large to read", () => {
  test("shows each run as one box, and arrows between them", () => {
    const { lanes, edges } = flowGraph(longSession(40, 3));
    expect(lanes.every((lane) => lane.folded && lane.boxes.length === 0)).toBe(true);
    expect(lanes).toHaveLength(40);
    expect(edges).toHaveLength(39);
  });

  test("of one run keeps the first and the last steps and folds those between", () => {
    const [lane] = flowGraph(longSession(1, 116)).lanes;
    expect(lane?.boxes.map((box) => box.steps.length).filter((count) => count > 1)).toEqual([152]);
    expect(lane?.boxes.flatMap((box) => box.steps)).toHaveLength(350);
    expect(lane?.boxes[99]?.steps).toHaveLength(152);
  });

  test("of very many runs folds those in the middle", () => {
    const { lanes } = flowGraph(longSession(500, 1));
    expect(lanes.map((lane) => lane.runs.length).filter((count) => count > 1)).toEqual([301]);
    expect(lanes.flatMap((lane) => lane.runs)).toHaveLength(500);
  });

  test("still opens the run that was asked for", () => {
    const { lanes } = flowGraph(longSession(40, 30), { run: "run_7" });
    expect(lanes.map((lane) => [lane.id, lane.boxes.length])).toEqual([["r7", 92]]);
  });
});
