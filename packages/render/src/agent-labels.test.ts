import { expect, test } from "vitest";
import { call, said } from "../fixtures/agent-calls.ts";
import { gantt } from "./gantt.ts";

const labelsIn = (drawing: string): readonly string[] =>
  [...drawing.matchAll(/<text x="[\d.]+" y="[\d.]+">([^<]*)<title>/g)].map(
    ([, label = ""]) => label,
  );

test("agents of one name are told apart by what they were asked, and by their ids as well where that is the same", () => {
  const asked = ["Find the bug.", "Write a test.", "Warm up.", "Warm up.", "<note>a</note>Go on."];
  const steps = asked.flatMap((text, n) => [said(`c${n}`, text), call(`c${n}`, `a${n}`, n)]);
  const drawing = gantt.render({
    session_id: "s",
    agents: asked.map((_, n) => ({ agent_id: `a${n}`, name: "worker" })),
    conversations: [{ conversation_id: "r", steps }],
  });
  expect(labelsIn(drawing)).toEqual([
    "worker: Find the bug.",
    "worker: Write a test.",
    "worker (a2): Warm up.",
    "worker (a3): Warm up.",
    "worker: Go on.",
  ]);
});

test("tasks that begin alike, and ids, are told from where they differ", () => {
  const asked = ["render", "schema"].map((name) => `Review this package with care: ${name}.`);
  const drawing = gantt.render({
    session_id: "s",
    agents: ["agent_req_011CVJ5", "agent_req_011CVRR", "b", "c"].map((id, n) => ({
      agent_id: id,
      name: n < 2 ? "Claude Code" : "worker",
    })),
    conversations: [
      {
        conversation_id: "r",
        steps: [
          call("c1", "agent_req_011CVJ5", 0),
          call("c2", "agent_req_011CVRR", 3),
          ...asked.flatMap((text, n) => [
            said(`d${n}`, text),
            call(`d${n}`, n === 0 ? "b" : "c", 6),
          ]),
        ],
      },
    ],
  });
  expect(labelsIn(drawing)).toEqual([
    "Claude Code (…J5)",
    "Claude Code (…RR)",
    "worker: …with care: render.",
    "worker: …with care: schema.",
  ]);
});
