import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { flowGraph } from "./flow-graph.ts";
import { stepTimes } from "./step-times.ts";
import { tracksOf } from "./timeline-items.ts";

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
