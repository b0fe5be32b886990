import type { Session, Step } from "@thoughtflow/schema";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { at, call, said, tool } from "../fixtures/agent-calls.ts";
import { agentGraph } from "./agent-graph.ts";
import { dot } from "./dot.ts";
import { gantt } from "./gantt.ts";
import { svg } from "./svg.ts";
import { workflowRenderers } from "./workflow-renderers.ts";

/** A main agent, its child, the child's child, and one that nobody asked for. */
const session: Session = {
  session_id: "s",
  agents: [
    { agent_id: "main", name: "boss" },
    { agent_id: "other", name: "stray <agent>" },
    { agent_id: "inner", name: "worker", parent_agent_id: "outer", spawned_by: "r/t2" },
    {
      agent_id: "outer",
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
        call("c1", "main", 0),
        tool("t1", "c1", "main"),
        call("c2", "outer", 3),
        tool("t2", "c2", "outer"),
        call("c3", "inner", 6, { status: "error" }),
        call("c4", "other", 9),
        call("c5", "main", 12),
      ],
    },
  ],
};

const labelsIn = (drawing: string): readonly string[] =>
  [...drawing.matchAll(/<text x="([\d.]+)" y="[\d.]+">([^<]*)<title>/g)].map(
    ([, x = "", label = ""]) => `${" ".repeat((Number(x) - 24) / 14)}${label}`,
  );

const legendEntry =
  /<g transform="translate\([\d.]+ ([\d.]+)\)">.*<text x="28" y="1" class="faint">([^<]*)/g;

test("an agent's lane has its name, and its id where others have the name, too; it stands below that of the one that asked for it, a bar a request", () => {
  const drawing = gantt.render(session);
  expect(labelsIn(drawing)).toEqual([
    "boss",
    " worker (outer)",
    "  worker (inner)",
    "stray &lt;agent&gt;",
  ]);
  expect(drawing.match(/<rect class="a\d( error)?"[^>]*><title>/g)?.length).toBe(5);
  expect(drawing.match(/class="a\d error"/g)?.length).toBe(1);
});

test("arrows lead from the request that asked to the first of the agent, and tell how sure that is", () => {
  const arrows = [
    ...gantt.render(session).matchAll(/<path class="arrow (\w+)"[^>]*><title>([^<]*)/g),
  ];
  expect(arrows.map(([, look, words]) => [look, words])).toEqual([
    ["asked", "spawn, confidence 1.00"],
    ["inferred", "spawn, confidence 0.90"],
  ]);
});

test("the legend explains the arrows and waits that are drawn, and no others", () => {
  const alone: Session = {
    session_id: "s",
    agents: [{ agent_id: "main", name: "boss" }],
    conversations: [{ conversation_id: "r", steps: [call("c1", "main", 0)] }],
  };
  const words = (drawing: string) =>
    ["known by id", "asked for, inferred (confidence 0.90)", "long wait"].filter((word) =>
      drawing.includes(word),
    );
  const [run] = alone.conversations;
  const steps = [...(run?.steps ?? []), call("c2", "main", 3_000)];
  const waiting = { ...alone, conversations: [{ conversation_id: "r", steps }] };
  expect([session, alone, waiting].map((each) => words(gantt.render(each)))).toEqual([
    ["known by id", "asked for, inferred (confidence 0.90)"],
    [],
    ["long wait"],
  ]);
  expect(gantt.render(alone)).toContain(">1 agent · 1 run · ");
});

test("what is only likely is drawn when it is asked for", () => {
  const likely = (inferred: boolean) =>
    gantt.render(session, { inferred }).includes("request sequence");
  expect([likely(false), likely(true)]).toEqual([false, true]);
});

test.each([200, 400])(
  "a session of agents and more than %d steps is drawn so as SVG, a single run of it step by step",
  (count) => {
    const steps = Array.from({ length: count }, (_, n) => call(`x${n}`, "main", 20 + n));
    const [run] = session.conversations;
    const large: Session = {
      ...session,
      conversations: [{ conversation_id: "r", steps: [...(run?.steps ?? []), ...steps] }],
    };
    expect(svg.render(large)).toBe(gantt.render(large));
    expect(svg.render(large, { run: "r" })).toContain("folded");
    expect(svg.render(session)).not.toBe(gantt.render(session));
    // Nobody need have asked for them: so it is in a log of requests.
    const agents = large.agents?.map(({ agent_id }) => ({ agent_id })) ?? [];
    const apart = { ...large, agents };
    expect(svg.render(apart)).toBe(gantt.render(apart));
    // Of those that share a name there may be any number.
    const probes = Array.from({ length: 200 }, (_, n) => ({ agent_id: `p${n}`, name: "probe" }));
    const probed = { ...large, agents: [...agents, ...probes] };
    expect(svg.render(probed)).toBe(gantt.render(probed));
    const alone = { ...large, agents: agents.slice(0, 1) };
    expect(svg.render(alone)).not.toBe(gantt.render(alone));
  },
);

test("the legend names every type of agent; those for which no colour is left share one", () => {
  const steps = Array.from({ length: 11 }, (_, n) => call(`c${n}`, `a${n}`, n));
  const drawing = gantt.render({
    session_id: "s",
    agents: steps.map((_, n) => ({ agent_id: `a${n}`, name: `a rather long kind ${n}` })),
    conversations: [{ conversation_id: "r", steps }],
  });
  const legend = [...drawing.matchAll(legendEntry)];
  expect(legend.map(([, , words]) => words)).toEqual([
    ...Array.from({ length: 7 }, (_, n) => `a rather long kind ${n}`),
    "4 other types",
  ]);
  const height = Number(/height="(\d+)"/.exec(drawing)?.[1]);
  for (const [, y] of legend) expect(Number(y)).toBeLessThan(height);
});

test("where no request tells its time the bars stand one after the other, without an axis", () => {
  const moment = "1970-01-01T00:00:00.000Z";
  const timeless = { started_at: moment, ended_at: moment, duration_ms: 0 };
  const drawing = gantt.render({
    session_id: "s",
    agents: [{ agent_id: "main" }, { agent_id: "other" }],
    conversations: [
      {
        conversation_id: "r",
        steps: ["main", "other", "main"].map((agent, n) => call(`c${n}`, agent, 0, timeless)),
      },
    ],
  });
  const bars = [...drawing.matchAll(/<rect class="a\d" x="([\d.]+)"[^>]*><title>/g)];
  expect(bars.map(([, x]) => Number(x))).toEqual([294, 836.9, 565.4]);
  expect(drawing).not.toContain('class="tick"');
  expect(drawing).toContain("no durations are known: drawn in order");
});

test("parents in a circle and requests without times are drawn as far as they go", () => {
  const circle: Session = {
    session_id: "s",
    agents: [
      { agent_id: "a", parent_agent_id: "b" },
      { agent_id: "b", parent_agent_id: "a" },
    ],
    conversations: [
      {
        conversation_id: "r",
        steps: [
          { step_id: "c1", label: "assistant_call", agent_id: "a" },
          { step_id: "c2", label: "assistant_call", agent_id: "b" },
        ],
      },
    ],
  };
  expect(labelsIn(gantt.render(circle))).toEqual(["a", "b"]);
});

test("agents of one type have one colour, whatever they are called, and the legend the name of the first", () => {
  const policy = (version: string): Step => ({
    step_id: `snp_${version}`,
    label: "policy.snapshot",
    payload_started: { version },
  });
  const used = (version: string): Partial<Step> => ({
    edges: [{ to: `snp_${version}`, type: "uses_snapshot", origin: "observed" }],
  });
  const steps = [
    policy("aa"),
    policy("bb"),
    call("c1", "one", 0, used("aa")),
    call("c2", "two", 3, used("aa")),
    call("c3", "three", 6, used("bb")),
  ];
  const drawing = gantt.render({
    session_id: "s",
    agents: ["one", "two", "three"].map((id) => ({ agent_id: id, name: `worker ${id}` })),
    conversations: [{ conversation_id: "r", steps }],
  });
  expect([...drawing.matchAll(/<rect class="(a\d)"/g)].map(([, hue]) => hue).slice(0, 3)).toEqual([
    "a0",
    "a0",
    "a1",
  ]);
  const legend = [...drawing.matchAll(legendEntry)];
  expect(legend.map(([, , name]) => name)).toEqual(["worker one", "worker three"]);
  const alike = gantt.render({
    session_id: "s",
    agents: ["one", "two", "three"].map((id) => ({ agent_id: id, name: "worker" })),
    conversations: [{ conversation_id: "r", steps }],
  });
  expect([...alike.matchAll(legendEntry)].map(([, , name]) => name)).toEqual([
    "worker",
    "worker (2)",
  ]);
});

test("the moment in small letters is that of the axis' beginning, also where a session began before", () => {
  const run = (id: string, start: number) => {
    const steps = [
      { ...said(`${id}-c1`, "Hello."), started_at: at(start) },
      call(`${id}-c1`, "main", start + 60),
      call(`${id}-c2`, "main", start + 63),
    ];
    return { conversation_id: id, steps };
  };
  const long = { ...session, started_at: at(0), conversations: [run("r", 0), run("q", 600)] };
  const moments = [
    gantt.render(long),
    gantt.render(long, { run: "q" }),
    svg.render(long),
    svg.render(long, { run: "q" }),
  ].map((drawing) => /s · 2026-01-01 ([\d:]+) UTC/.exec(drawing)?.[1]);
  expect(moments).toEqual(["00:01:00", "00:11:00", "00:00:00", "00:10:00"]);
});

test("a request whose clock went back takes no time, and leaves the others theirs", () => {
  const steps = [
    call("c1", "main", 0),
    call("c2", "main", 3),
    call("c3", "main", 8, { ended_at: at(1), duration_ms: -7_000 }),
  ];
  const drawing = gantt.render({
    session_id: "s",
    agents: [{ agent_id: "main", name: "boss" }],
    conversations: [{ conversation_id: "r", steps }],
  });
  const widths = [...drawing.matchAll(/class="a0"[^>]* width="([\d.]+)" height="13"/g)];
  const [one = 0, two = 0, back = 0] = widths.map(([, width]) => Number(width));
  expect(one).toBeGreaterThan(100);
  expect([two, back]).toEqual([one, 1.5]);
});

test("names turn no reading direction, in the legend either, and what is too long for a picture is cut", () => {
  const names = ["\u{202e}gnp.exe", "a\nb\u{200b}c", "x".repeat(1_000_000)];
  const drawing = gantt.render({
    session_id: "s",
    agents: names.map((name) => ({ agent_id: name, name })),
    conversations: [
      {
        conversation_id: "r",
        steps: names.flatMap((name, n) => [
          call(`c${n}`, name, n, { payload_started: { model: name } }),
          tool(`t${n}`, `c${n}`, name, { payload_started: { name }, status: "error" }),
        ]),
      },
    ],
  });
  expect(drawing).not.toMatch(/[\u{200b}\u{202e}]/u);
  expect([...drawing.matchAll(legendEntry)].map(([, , words]) => words)).toContain("a bc");
  expect(drawing.length).toBeLessThan(12_000);
});

test("an arrow leaves the request that asked, also one that an agent's clock says was later", () => {
  const steps = [call("c1", "main", 0), call("c2", "main", 6), tool("t1", "c2", "main")];
  const drawing = gantt.render({
    session_id: "s",
    agents: [
      { agent_id: "main", name: "boss" },
      { agent_id: "sub", name: "alice", parent_agent_id: "main", spawned_by: "r/t1" },
    ],
    conversations: [{ conversation_id: "r", steps: [...steps, call("c3", "sub", 1)] }],
  });
  const bars = [...drawing.matchAll(/<rect class="a\d" x="([\d.]+)" y="[\d.]+" width/g)];
  const [, [, asked] = [], [, first] = []] = bars.slice(0, 3);
  // The bar lies over arrows: this one comes from above.
  const arrow = /class="arrow asked"[^>]* d="M([\d.]+) [\d.]+V[\d.]+H([\d.]+)V[\d.]+"/.exec(
    drawing,
  );
  expect(arrow?.slice(1).map(Number)).toEqual([Number(asked), Number(first) + 2]);
});

test("no agents have the colour of their tools", () => {
  const ids = Array.from({ length: 12 }, (_, n) => `a${n}`);
  const drawing = gantt.render({
    session_id: "s",
    agents: ids.map((id) => ({ agent_id: id, name: id })),
    conversations: [{ conversation_id: "r", steps: ids.map((id, n) => call(`c${n}`, id, n)) }],
  });
  const style = /<style>[\s\S]*<\/style>/.exec(drawing)?.[0] ?? "";
  const ofTools = /\.tools\{[^}]*stroke:(#\w+)/.exec(style)?.[1];
  const ofAgents = [...style.matchAll(/\.a\d\{[^}]*stroke:(#\w+)/g)].map(([, color]) => color);
  expect(ofAgents).toHaveLength(8);
  expect(ofAgents).not.toContain(ofTools);
});

test("what its tools did is a line in an agent's lane, so that their time is no idle wait, with a cross where one failed", () => {
  const timed = (start: number, end: number, more: Partial<Step> = {}): Partial<Step> => ({
    started_at: at(start),
    ended_at: at(end),
    ...more,
  });
  const steps = [
    call("c1", "main", 0),
    tool("t1", "c1", "main", timed(2, 900, { status: "error", payload_started: { name: "Bash" } })),
    tool("t2", "c1", "main", timed(2, 3)),
    call("c2", "main", 900),
  ];
  const drawing = gantt.render({
    session_id: "s",
    agents: [{ agent_id: "main", name: "boss" }],
    conversations: [{ conversation_id: "r", steps }],
  });
  expect(drawing.match(/<path class="tools" d="[^"]*"/g)?.slice(0, 1)).toEqual([
    '<path class="tools" d="M295.7 120H1052.3"',
  ]);
  expect(drawing).toContain('d="M1048.8 116.5l7 7m0-7l-7 7"><title>failed: Bash</title>');
  expect([...drawing.matchAll(legendEntry)].map(([, , words]) => words)).toEqual([
    "boss",
    "tools at work",
    "a tool failed",
  ]);
});

test("one that goes on from another stands below it, with an arrow of its own kind", () => {
  const going: Partial<Step> = {
    edges: [{ to: "c1", type: "continues", origin: "inferred", confidence: 0.9 }],
  };
  const drawing = gantt.render({
    session_id: "s",
    agents: ["main", "other", "next"].map((id) => ({ agent_id: id, name: id })),
    conversations: [
      {
        conversation_id: "r",
        steps: [call("c1", "main", 0), call("c2", "other", 3), call("c3", "next", 6, going)],
      },
    ],
  });
  expect(labelsIn(drawing)).toEqual(["main", "next", "other"]);
  expect(drawing).toContain('class="arrow continues"');
  expect(drawing).toContain(">goes on from (confidence 0.90)<");
});

test("a mark stands where the conversation was compacted, also in the chart of a workflow document", () => {
  const compacted: Partial<Step> = {
    edges: [{ to: "c1", type: "continues", origin: "observed", evidence: "compaction" }],
  };
  const once: Session = {
    session_id: "s",
    agents: [{ agent_id: "main", name: "main" }],
    conversations: [
      {
        conversation_id: "r",
        steps: [call("c1", "main", 0), call("c2", "main", 3, compacted), call("c3", "main", 6)],
      },
    ],
  };
  const workflow = workflowOfSessions([once], { extractionTimestamp: at(9) });
  for (const drawing of [gantt.render(once), workflowRenderers.gantt.render(workflow)]) {
    expect(drawing.match(/<title>conversation compacted</g)).toHaveLength(1);
    expect([...drawing.matchAll(legendEntry)].map(([, , words]) => words)).toEqual([
      "main",
      "between its requests",
      "conversation compacted",
    ]);
  }
  // The timeline of steps has it, too: at the bar, and in its legend.
  expect(svg.render(once).match(/<path class="compaction"/g)).toHaveLength(2);
});

test("a mark stands behind the last request where the conversation was compacted and nobody asked since, also in the chart of a workflow document", () => {
  const summary: Step = {
    step_id: "sum",
    label: "generic",
    started_at: at(60),
    edges: [{ to: "c2", type: "continues", origin: "observed", evidence: "compaction" }],
  };
  const session: Session = {
    session_id: "s",
    agents: [{ agent_id: "main", name: "main" }],
    conversations: [
      { conversation_id: "r", steps: [call("c1", "main", 0), call("c2", "main", 3), summary] },
    ],
  };
  const workflow = workflowOfSessions([session], { extractionTimestamp: at(9) });
  const drawn = [gantt.render(session), workflowRenderers.gantt.render(workflow)];
  for (const drawing of drawn) {
    const [, x] = /d="M([\d.]+) [^"]+"><title>conversation compacted</.exec(drawing) ?? [];
    const bars = [...drawing.matchAll(/<rect class="a0" x="([\d.]+)" [^>]*width="([\d.]+)"/g)];
    // The last one is the legend's.
    const ends = bars.slice(0, -1).map(([, left, width]) => Number(left) + Number(width));
    expect(ends).toHaveLength(2);
    expect(Number(x)).toBeGreaterThan(Math.max(...ends) - 4);
    expect([...drawing.matchAll(legendEntry)].map(([, , words]) => words)).toContain(
      "conversation compacted",
    );
  }
});

test("the legend tells what was handed over from what was asked for", () => {
  const handed = (confidence: number): Partial<Step> => ({
    edges: [{ to: "t1", type: "handoff", origin: "inferred", confidence }],
  });
  const drawing = gantt.render({
    ...session,
    conversations: session.conversations.map((run) => ({
      ...run,
      steps: [...run.steps, call("c6", "other", 15, handed(0.95))],
    })),
  });
  expect(drawing).toContain(">asked for, known by id<");
  expect(drawing).toContain(">asked for or handed over, inferred (confidence 0.90 to 0.95)<");
  const [first] = session.agents ?? [];
  const alone = gantt.render({
    session_id: "s",
    agents: [...(first === undefined ? [] : [first]), { agent_id: "other", name: "other" }],
    conversations: [
      {
        conversation_id: "r",
        steps: [
          call("c1", "main", 0),
          tool("t1", "c1", "main"),
          call("c2", "other", 3, handed(0.95)),
        ],
      },
    ],
  });
  expect(alone).toContain(">handed over, inferred (confidence 0.95)<");
});

test("of many agents those that are alike share lanes, as many as were at work at once, and an arrow", () => {
  const workers = Array.from({ length: 60 }, (_, n) => `w${n}`);
  const steps = [
    call("c", "main", 0),
    tool("t", "c", "main"),
    // Three begin at a time.
    ...workers.map((id, n) => call(id, id, 3 + 3 * Math.floor(n / 3))),
  ];
  const child = { name: "worker", parent_agent_id: "main", spawned_by: "r/t" };
  const drawing = gantt.render({
    session_id: "s",
    agents: [
      { agent_id: "main", name: "boss" },
      ...workers.map((id) => ({ agent_id: id, ...child })),
    ],
    conversations: [{ conversation_id: "r", steps }],
  });
  expect(labelsIn(drawing)).toEqual(["boss", " 60 × worker"]);
  const rows = [...drawing.matchAll(/<rect class="a1" x="[\d.]+" y="([\d.]+)"/g)];
  expect(rows.length).toBe(60);
  expect(new Set(rows.map(([, y]) => y)).size).toBe(3);
  expect(drawing.match(/class="arrow asked"[^>]*><title>/g)?.length).toBe(3);
  expect(drawing).toContain("worker (w59)");
});

test("an agent of which only the parent is known has an arrow from that one's last request before it, as less sure", () => {
  const only: Session = {
    session_id: "s",
    agents: [
      { agent_id: "main", name: "boss" },
      { agent_id: "child", name: "worker", parent_agent_id: "main" },
      { agent_id: "asked", name: "helper", parent_agent_id: "main", spawned_by: "r/c1" },
    ],
    conversations: [
      {
        conversation_id: "r",
        steps: [
          call("c1", "main", 0),
          call("c2", "main", 3),
          call("k1", "child", 6),
          call("k2", "asked", 7),
          call("c3", "main", 9),
        ],
      },
    ],
  };
  const { edges } = agentGraph(only);
  expect(edges.filter(({ type }) => type === "spawn")).toEqual([
    { type: "spawn", source: "main_req_1", target: "child_req_0", confidence: 0.5 },
    { type: "spawn", source: "main_req_0", target: "asked_req_0", confidence: 1 },
  ]);
  const drawing = gantt.render(only);
  expect(drawing).toContain("<title>spawn, confidence 0.50</title>");
  expect(drawing).toContain("asked for, unsure (confidence 0.50)");
  expect(dot.render(only)).toContain('label="spawn 0.50", style=dashed');
});
