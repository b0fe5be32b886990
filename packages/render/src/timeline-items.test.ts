import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { call, said } from "../fixtures/agent-calls.ts";
import { flowGraph } from "./flow-graph.ts";
import { stepTimes } from "./step-times.ts";
import { subAgentsOf, tracksOf } from "./timeline-items.ts";

test("a thought is called by its id where there is no room for its words, if somebody chose that id", () => {
  const steps = ["plan", "thought_s_f2487fcb0b341abc.r1"].map((step_id) => ({
    step_id,
    label: "thought",
    payload_started: { thought: "There is more to be thought of." },
  }));
  const session: Session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const tracks = tracksOf(flowGraph(session).lanes, stepTimes(session), new Map());
  const labels = tracks.flatMap(({ items }) => items.map(({ shortLabel }) => shortLabel));
  expect(labels).toEqual(["plan", "thought"]);
});

test("a sub-agent's track stands below that of the one that asked for it, and is told apart from others of its name", () => {
  const asked = [
    ["front", "main", "Map the frontend."],
    ["back", "main", "Map the backend."],
    ["front.a", "front", "Read part a of it."],
    ["back.a", "back", "Read part b of it."],
  ] as const;
  const steps = [
    call("c", "main", 0),
    ...asked.flatMap(([id, , task], n) => [
      { ...said(`c.${id}`, task), agent_id: id },
      call(`c.${id}`, id, n + 1),
    ]),
  ];
  const session: Session = {
    session_id: "s",
    agents: [
      { agent_id: "main", name: "boss" },
      ...asked.map(([agent_id, parent_agent_id]) => {
        return { agent_id, parent_agent_id, name: agent_id.endsWith(".a") ? "reader" : "Explore" };
      }),
    ],
    conversations: [{ conversation_id: "r", steps }],
  };
  const tracks = tracksOf(flowGraph(session).lanes, stepTimes(session), subAgentsOf(session));
  expect(tracks.map(({ name }) => name)).toEqual([
    "model",
    "Explore: Map the frontend.",
    "reader: Read part a of it.",
    "Explore: Map the backend.",
    "reader: Read part b of it.",
  ]);
});
