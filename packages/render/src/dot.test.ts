import { expect, test } from "vitest";
import { call, tool } from "../fixtures/agent-calls.ts";
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
