import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { call, said, tool } from "../fixtures/agent-calls.ts";
import { agentLines } from "./agent-tree.ts";
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

/** A main agent that asks for the others, each by a tool call of its own. */
function asking(
  ...asked: readonly { readonly name: string; readonly text: string; readonly args?: object }[]
): Session {
  const spawned = asked.map(({ name }, n) => ({
    agent_id: `a${n}`,
    name,
    parent_agent_id: "main",
    spawned_by: `r/t${n}`,
  }));
  const steps = [
    call("c", "main", 0),
    ...asked.map(({ args }, n) => tool(`t${n}`, "c", "main", { payload_started: { args } })),
    ...asked.flatMap(({ text }, n) => [
      { ...said(`c${n}`, text), agent_id: `a${n}` },
      call(`c${n}`, `a${n}`, n + 2),
    ]),
  ];
  return {
    session_id: "s",
    agents: [{ agent_id: "main", name: "main" }, ...spawned],
    conversations: [{ conversation_id: "r", steps }],
  };
}

test("agents are called by what the one that asked for them called their tasks, where the words are theirs alone", () => {
  const session = asking(
    { name: "Explore", text: "You look for a bug.", args: { description: "Find the bug" } },
    { name: "worker", text: "<note/>", args: { description: "Implement part 1: a test" } },
    { name: "worker", text: "Write it.", args: { description: "Implement part 2" } },
    { name: "worker", text: "Read it.", args: { description: "Check" } },
    { name: "worker", text: "Run it.", args: { description: "Check" } },
    { name: "worker", text: "Sum it up.", args: { description: 7 } },
    { name: "other", text: "Look.", args: { prompt: "Look." } },
  );
  const labels = [
    "main",
    "Explore: Find the bug",
    "worker: Implement part 1: a test",
    "worker: Implement part 2",
    "worker: Read it.",
    "worker: Run it.",
    "worker: Sum it up.",
    "other",
  ];
  expect(labelsIn(gantt.render(session))).toEqual(labels);
  expect(agentLines(session).map(({ name }) => name)).toEqual(labels);
});

test("names that several agents have stand whole where they are as long as those of plugins", () => {
  const task = (text: string, name: string) => ({ name, text, args: { description: text } });
  const session = asking(
    task("Review the parser", "superpowers:code-reviewer"),
    task("Review the tests", "superpowers:code-reviewer"),
    task("Hunt in code", "pr-review-toolkit:silent-failure-hunter"),
    task("Hunt in tests", "pr-review-toolkit:silent-failure-hunter"),
  );
  expect(labelsIn(gantt.render(session)).slice(1)).toEqual([
    "superpowers:code-reviewer: Review the parser",
    "superpowers:code-reviewer: Review the tests",
    "pr-review-toolkit:silent-failure-hunter: Hunt in code",
    "pr-review-toolkit:silent-failure-hunter: Hunt in tests",
  ]);
});
