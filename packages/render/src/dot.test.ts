import { expect, test } from "vitest";
import { call, said, tool } from "../fixtures/agent-calls.ts";
import { dot } from "./dot.ts";
import { graphml } from "./graphml.ts";

test("a request is told in short lines, its quotes and backslashes as they are", () => {
  const model = 'C:\\new\\models\\quantised "small" one of the second generation';
  const call = { step_id: "call", label: "assistant_call", payload_started: { model } };
  const conversations = [{ conversation_id: "r", steps: [call] }];
  expect(dot.render({ session_id: "s", conversations })).toContain(
    String.raw`[label="1 · C:\\new\\models\\quantised\n\"small\" one of the second\ngeneration"`,
  );
});

test("graphs tell which requests failed, and which tools", () => {
  const failing = { status: "error", payload_started: { name: "Bash" } };
  const steps = [
    call("c1", "main", 0),
    tool("t1", "c1", "main", failing),
    call("c2", "main", 3, { status: "error" }),
  ];
  const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const nodes = (text: string) => text.match(/"main_req_\d+" \[label.*/g);
  expect(nodes(dot.render(session))).toEqual([
    '"main_req_0" [label="1 · m · 00:00:00 · ✗ Bash", fillcolor="#99f6e4", color="#dc2626", penwidth=2];',
    '"main_req_1" [label="2 · m · 00:00:03 · ✗ failed", color="#dc2626", penwidth=2];',
  ]);
  const data = graphml.render(session).match(/<data key="(?:start|failed|failed_tools)">[^<]*/g);
  expect(data?.map((one) => one.slice('<data key="'.length))).toEqual([
    'start">2026-01-01T00:00:00.000Z',
    'failed_tools">1',
    'start">2026-01-01T00:00:03.000Z',
    'failed">true',
  ]);
});

const worker = (n: number) => ({
  agent_id: `w${n}`,
  name: `worker ${n}`,
  parent_agent_id: "main",
  spawned_by: "r/t",
});

const nodesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ +"?[^" ]+"? \[label="([^"]*)"/gm)].map(([, label = ""]) => label);

test("requests stand in rows, so that a long agent is no strip: the edge to a new row has no part in the layout", () => {
  const steps = Array.from({ length: 30 }, (_, n) => call(`c${n}`, "main", n));
  const text = dot.render({ session_id: "s", conversations: [{ conversation_id: "r", steps }] });
  const free = text.match(/^.*constraint=false.*$/gm)?.map((line) => line.trim().split(" [")[0]);
  expect(free).toEqual(['"main_req_9" -> "main_req_10"', '"main_req_19" -> "main_req_20"']);
  expect(text).not.toContain("labelloc");
});

test("of many requests a turn of the user is a node, but for those that other agents have to do with", () => {
  const turn = (n: number) => {
    const calls = Array.from({ length: 20 }, (_, k) => call(`c${n}_${k}`, "main", 60 * n + 3 * k));
    return { conversation_id: `r${n}`, steps: [said(`c${n}_0`, `Turn ${n}.`), ...calls] };
  };
  const turns = Array.from({ length: 10 }, (_, n) => turn(n));
  const asked = [tool("t", "c0_4", "main"), call("w", "w0", 20)];
  const [first, ...others] = turns;
  const text = dot.render({
    session_id: "s",
    agents: [
      { agent_id: "main", name: "boss" },
      { ...worker(0), spawned_by: "r0/t" },
    ],
    conversations: [
      { conversation_id: "r0", steps: [...(first?.steps ?? []), ...asked] },
      ...others,
    ],
  });
  expect(nodesIn(text).slice(0, 4)).toEqual([
    String.raw`requests 1 to 4 · 00:00:00 ·\nTurn 0.`,
    "5 · m · 00:00:12",
    "requests 6 to 20 · 00:00:15",
    String.raw`requests 21 to 40 · 00:01:00\n· Turn 1.`,
  ]);
  expect(text).toContain('label="201 requests of 2 agents, some of them together in a node"');
  expect(text).toContain('"main_req_0" -> "main_req_4"');
  expect(text).toContain('"main_req_4" -> "w0_req_0" [color="#16a34a", label="spawn"');
});

test("of very many agents those that are alike are a node, and where none are each is a box", () => {
  const count = 200;
  const calls = Array.from({ length: count }, (_, n) => call(`w${n}`, `w${n}`, 3));
  const steps = [call("c", "main", 0), tool("t", "c", "main"), ...calls];
  const workers = Array.from({ length: count }, (_, n) => worker(n));
  const textOf = (named: typeof workers) =>
    dot.render({
      session_id: "s",
      agents: [{ agent_id: "main", name: "boss" }, ...named],
      conversations: [{ conversation_id: "r", steps }],
    });
  const alike = textOf(workers.map((one) => ({ ...one, name: "worker" })));
  expect(nodesIn(alike)).toEqual(["1 · m · 00:00:00", "200 × worker · 200 requests"]);
  expect(alike).toContain('label="spawn ×200"');
  const apart = textOf(workers);
  expect(nodesIn(apart)).toEqual([
    String.raw`boss\n1 request`,
    String.raw`200 agents\n200 requests`,
  ]);
  expect(apart).toContain('label="201 requests of 201 agents: who asked for whom"');
});
