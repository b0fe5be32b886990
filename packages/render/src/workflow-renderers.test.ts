import type { Session, Step } from "@thoughtflow/schema";
import { EVIDENCE_COMPACTION } from "@thoughtflow/schema/steps";
import { type Workflow, workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { at, call, said, tool } from "../fixtures/agent-calls.ts";
import { renderers } from "./renderers.ts";
import { workflowRenderers } from "./workflow-renderers.ts";

/** A boss who asks a worker twice, once by an id and once by words. */
const session: Session = {
  session_id: "s",
  agents: [
    { agent_id: "main", name: "boss" },
    { agent_id: "one", name: "worker", parent_agent_id: "main", spawned_by: "r/t1" },
    {
      agent_id: "two",
      name: "worker",
      parent_agent_id: "main",
      spawned_by: "r/t1",
      origin: "inferred",
    },
  ],
  conversations: [
    {
      conversation_id: "r",
      steps: [
        said("c1", 'Go on, "please" <now>'),
        call("c1", "main", 0),
        tool("t1", "c1", "main"),
        said("c2", "Work."),
        call("c2", "one", 3),
        said("c3", "Work."),
        call("c3", "two", 6, { status: "error" }),
      ],
    },
  ],
};

const workflowOf = (...sessions: readonly Session[]): Workflow =>
  workflowOfSessions(sessions, { extractionTimestamp: at(0) });

test.each(["dot", "graphml"] as const)(
  "a workflow document has the same %s as the session that it was made of",
  (name) => {
    const { [name]: ofWorkflow } = workflowRenderers;
    for (const options of [{}, { inferred: true }])
      expect(ofWorkflow.render(workflowOf(session), options)).toBe(
        renderers[name].render(session, options),
      );
  },
);

test("its chart has the bars and arrows that the session's has", () => {
  const drawn = workflowRenderers.gantt.render(workflowOf(session));
  const marks = (svg: string) => svg.match(/<(?:rect class="a|path class="arrow)[^>]*>/g);
  expect(marks(drawn)).toEqual(marks(renderers.gantt.render(session)));
  expect(drawn).toContain(">3 agents · 3 requests<");
  expect(workflowRenderers.svg.render(workflowOf(session))).toBe(drawn);
});

test("a document tells which tools failed, not when they were at work", () => {
  const failed = tool("t1", "c1", "main", { started_at: at(2), ended_at: at(5), status: "error" });
  const told: Session = {
    session_id: "s",
    conversations: [
      {
        conversation_id: "r",
        steps: [
          call("c1", "main", 0),
          { ...failed, payload_started: { name: "Bash" } },
          {
            step_id: "c2.u1",
            label: "tool_error",
            edges: [{ to: "t1", type: "returns", origin: "observed" }],
          },
          call("c2", "main", 5),
        ],
      },
    ],
  };
  const crosses = (svg: string) => svg.match(/<path class="cross"[^>]*><title>[^<]*/g)?.length;
  const drawn = workflowRenderers.gantt.render(workflowOf(told));
  expect(crosses(drawn)).toBe(1);
  expect(drawn).toContain("failed: Bash");
  expect(drawn).not.toContain("tools at work");
  expect(crosses(renderers.gantt.render(told))).toBe(1);
});

test("D2 has a box an agent, coloured by type, and an arrow for each way in which one asked for another", () => {
  const text = workflowRenderers.d2.render(workflowOf(session));
  expect(text.slice(text.indexOf("\na1:"))).toBe(`
a1: {
  label: "boss\\n1 request"
  tooltip: "main"
  class: [model]
}
a2: {
  label: "worker (one): Work.\\n1 request"
  tooltip: "one"
  class: [answer]
}
a3: {
  label: "worker (two): Work.\\n1 request · 1 error"
  tooltip: "two"
  class: [answer]
}

a1 -> a2: "spawn" { class: observed }
a1 -> a3: "spawn 0.90" { class: inferred }
`);
});

test("Mermaid has the same, and of five thousand agents, of which nothing tells which belong together, the first, and the rest in a box", () => {
  const text = workflowRenderers.mermaid.render(workflowOf(session));
  expect(text.split("\n").slice(0, 6)).toEqual([
    "flowchart TD",
    '  a1("boss<br/>1 request"):::model',
    '  a2("worker (one): Work.<br/>1 request"):::answer',
    '  a3("worker (two): Work.<br/>1 request · 1 error"):::answer',
    '  a1 -->|"spawn"| a2',
    '  a1 -.->|"spawn 0.90"| a3',
  ]);
  const ids = Array.from({ length: 5_000 }, (_, n) => `agent ${n} <&> ${"x".repeat(50)}`);
  const many = workflowRenderers.mermaid.render(
    workflowOf({
      session_id: "many",
      conversations: [{ conversation_id: "r", steps: ids.map((id, n) => call(`c${n}`, id, n)) }],
    }),
  );
  expect(many.length).toBeLessThan(50_000);
  expect(many.match(/^ {2}a\d+\(/gm)?.length).toBe(61);
  // Side by side they would be a strip.
  expect(many).toMatch(/^flowchart LR\n/);
  expect(many).toContain('a61("4,940 agents<br/>4,940 requests")');
});

test("Perfetto has a thread an agent, a slice a request, and flows to the requests that were asked for", () => {
  const { traceEvents } = JSON.parse(workflowRenderers.perfetto.render(workflowOf(session))) as {
    traceEvents: readonly Record<string, unknown>[];
  };
  const start = Date.parse(at(0)) * 1_000;
  const slices = traceEvents.filter(({ ph }) => ph === "X");
  expect(slices.map(({ tid, ts, dur }) => [tid, Number(ts) - start, dur])).toEqual([
    [1, 0, 2_000_000],
    [2, 3_000_000, 2_000_000],
    [3, 6_000_000, 2_000_000],
  ]);
  const flows = traceEvents.filter(({ ph }) => ph === "s" || ph === "f");
  expect(flows.map(({ ph, tid, ts }) => [ph, tid, Number(ts) - start])).toEqual([
    ["s", 1, 2_000_000],
    ["f", 2, 3_000_000],
    ["s", 1, 2_000_000],
    ["f", 3, 6_000_000],
  ]);
});

test("CSV has a row a request, with who asked for it", () => {
  const [head = "", ...rows] = workflowRenderers.csv.render(workflowOf(session)).trim().split("\n");
  const names = head.split(",");
  const column = (name: string) => rows.map((row) => row.split(",")[names.indexOf(name)]);
  expect(column("request")).toEqual(["main_req_0", "one_req_0", "two_req_0"]);
  expect(column("asked_by")).toEqual(["", "main_req_0", "main_req_0"]);
  expect(column("status")).toEqual(["", "", "error"]);
  expect(column("input_tokens")).toEqual(["10", "10", "10"]);
  expect(rows[0]).toMatch(/"Go on, ""please"" <now>"$/);
});

test("graphs and tables mark the call before which the conversation was compacted", () => {
  const compacted: Partial<Step> = {
    edges: [{ to: "c1", type: "continues", origin: "declared", evidence: EVIDENCE_COMPACTION }],
  };
  const steps = [said("c1", "Go."), call("c1", "main", 0), call("c2", "main", 5, compacted)];
  const long = { session_id: "long", conversations: [{ conversation_id: "r", steps }] };
  const drawn = (name: "dot" | "graphml" | "csv" | "perfetto") =>
    workflowRenderers[name].render(workflowOf(long));
  expect(drawn("dot").match(/^.*conversation compacted.*$/gm)).toEqual([
    expect.stringContaining('"main_req_1" [label='),
  ]);
  expect(drawn("graphml").match(/<node .*after_compaction">true.*/g)).toEqual([
    expect.stringContaining('<node id="main_req_1">'),
  ]);
  const [head, ...rows] = drawn("csv")
    .trim()
    .split("\n")
    .map((row) => row.split(","));
  expect(rows.map((row) => row[head?.indexOf("is_after_compaction") ?? -1])).toEqual(["", "true"]);
  const { traceEvents } = JSON.parse(drawn("perfetto")) as { traceEvents: { args?: object }[] };
  expect(traceEvents.filter(({ args = {} }) => "after_compaction" in args)).toEqual([
    expect.objectContaining({ args: { request: "main_req_1", after_compaction: true } }),
  ]);
});

test("CSV marks the call up to which was summed up what no later call was given", () => {
  const summary: Step = {
    step_id: "n1",
    label: "generic",
    edges: [{ to: "c1", type: "continues", origin: "declared", evidence: EVIDENCE_COMPACTION }],
  };
  const column = (...more: readonly Step[]) => {
    const steps = [said("c1", "Go."), call("c1", "main", 0), ...more];
    const left = { session_id: "left", conversations: [{ conversation_id: "r", steps }] };
    const [head = [], ...rows] = workflowRenderers.csv
      .render(workflowOf(left))
      .trim()
      .split("\n")
      .map((row) => row.split(","));
    return rows.map((row) => row[head.indexOf("is_before_compaction")]);
  };
  expect([column(), column(summary)]).toEqual([[""], ["true"]]);
});

test("what is only likely is drawn where somebody asks for it", () => {
  const one = (id: string, agent: string, start: number) => [said(id, id), call(id, agent, start)];
  const steps = [...one("c1", "finder", 0), ...one("c2", "reader", 5)];
  const told = { session_id: "told", conversations: [{ conversation_id: "r", steps }] };
  const d2 = (inferred: boolean) => workflowRenderers.d2.render(workflowOf(told), { inferred });
  expect(d2(true)).toContain('a1 -> a2: "request sequence 0.50" { class: inferred }');
  expect(d2(false)).not.toContain("->");
});

test("a document of another program is drawn as far as it goes: nothing leads nowhere, and no cell is a formula", () => {
  const { entities, workflow_dag: dag, ...rest } = workflowOf(session);
  const usage = { input_tokens: ["=1+1"], output_tokens: { toString: 1, valueOf: 1 } };
  const odd: Workflow = {
    ...rest,
    entities: {
      ...entities,
      api_requests: entities.api_requests.map((one) => ({ ...one, usage })),
    },
    workflow_dag: {
      ...dag,
      request_nodes: dag.request_nodes.slice(0, 2).map((node) => ({ ...node, duration_ms: 1e308 })),
    },
  };
  expect(workflowRenderers.csv.render(odd)).not.toContain("=1+1");
  const graphml = workflowRenderers.graphml.render(odd);
  expect([graphml.match(/<node /g)?.length, graphml.match(/<edge /g)?.length]).toEqual([2, 1]);
  expect(workflowRenderers.perfetto.render(odd)).not.toContain("null");
});

test("of a large session of agents D2 and Mermaid have the agents, of those alike one box", () => {
  const workers = Array.from({ length: 50 }, (_, n) => `w${n}`);
  const child = { name: "worker", parent_agent_id: "main", spawned_by: "r/t" };
  const steps = [
    call("c", "main", 0),
    tool("t", "c", "main", { status: "error" }),
    ...workers.flatMap((id, n) => Array.from({ length: 4 }, (_, k) => call(`${id}_${k}`, id, n))),
  ];
  const large: Session = {
    session_id: "s",
    agents: [
      { agent_id: "main", name: "boss" },
      ...workers.map((id) => ({ agent_id: id, ...child })),
    ],
    conversations: [{ conversation_id: "r", steps }],
  };
  const d2 = renderers.d2.render(large);
  expect(d2.slice(d2.indexOf("\na1:"))).toBe(`
a1: {
  label: "boss\\n1 request · 1 failed tool"
  tooltip: "main"
  class: [model]
}
a2: {
  label: "50 × worker\\n200 requests"
  tooltip: "w0"
  class: [answer]
}

a1 -> a2: "spawn ×50" { class: observed }
`);
  expect(renderers.mermaid.render(large)).toContain('a1 -->|"spawn ×50"| a2');
  const named = large.agents?.map((one, n) => ({ ...one, name: `agent ${n}` })) ?? [];
  expect(renderers.d2.render({ ...large, agents: named })).toContain("\ndirection: right\n");
  expect(renderers.d2.render(large, { run: "r" })).toContain("steps folded");
});

test("no line stands beside another that says more: what is only likely gives way", () => {
  const continues = (to: string): Partial<Step> => ({
    edges: [{ to, type: "continues", origin: "observed" }],
  });
  const told: Session = {
    session_id: "s",
    agents: ["one", "two"].map((id) => ({ agent_id: id, name: id })),
    conversations: [
      {
        conversation_id: "r",
        steps: [call("c1", "one", 0), call("c2", "two", 3, continues("c1")), call("c3", "two", 6)],
      },
    ],
  };
  const types = (text: string) => text.match(/request_sequence|request sequence|continues/g);
  expect(types(renderers.graphml.render(told, { inferred: true }))).toEqual(["continues"]);
  expect(types(workflowRenderers.d2.render(workflowOf(told), { inferred: true }))).toEqual([
    "continues",
  ]);
});
