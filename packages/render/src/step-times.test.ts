import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { seedSession } from "../fixtures/sessions.ts";
import { stepTimes } from "./step-times.ts";

function timesOf(steps: Step[], run: { started_at?: string; ended_at?: string } = {}) {
  const { of, measured } = stepTimes({
    session_id: "s",
    conversations: [{ conversation_id: "c", steps, ...run }],
  });
  const spans = steps.map((step) => {
    const { start, end, open } = of(step) ?? {
      start: Number.NaN,
      end: Number.NaN,
      open: false,
    };
    return `${start}-${end}${open ? " open" : ""}`;
  });
  return { measured, spans };
}

const at = (ms: number): string => new Date(ms).toISOString();

test("a step without times stands where what it rests on ended, else where the next one begins", () => {
  expect(
    timesOf([
      { step_id: "history", label: "user_message" },
      { step_id: "call", label: "assistant_call", started_at: at(100), ended_at: at(200) },
      { step_id: "late", label: "node", started_at: at(300), duration_ms: 50 },
      { step_id: "out", label: "tool_output", depends_on: "call" },
      { step_id: "tail", label: "node" },
    ]),
  ).toEqual({ measured: true, spans: ["100-100", "100-200", "300-350", "200-200", "200-200"] });
});

test("a step that never ended lasts until its run was last heard of; one that ends before it began has no length", () => {
  expect(
    timesOf(
      [
        { step_id: "open", label: "assistant_call", started_at: at(10), status: "running" },
        { step_id: "output", label: "tool_output", started_at: at(40), status: "ok" },
        { step_id: "back", label: "node", started_at: at(50), ended_at: at(20) },
      ],
      { ended_at: at(90) },
    ).spans,
  ).toEqual(["10-90 open", "40-40", "50-50"]);
});

test("an end and a duration give the start, as in seed 000's model call", () => {
  const steps = seedSession.conversations[0]?.steps ?? [];
  const call = steps.find((step) => step.step_id === "s_llm");
  const { of } = stepTimes(seedSession);
  const span = call && of(call);
  expect([span?.start, span?.end].map((ms) => at(ms ?? 0).slice(17))).toEqual([
    "36.252Z",
    "36.800Z",
  ]);
});

test("where all steps have the same time they stand in their order, as formats without times leave them", () => {
  const moment = { started_at: at(0), ended_at: at(0), duration_ms: 0 };
  const steps = ["one", "two"].map((step_id) => ({ step_id, label: "node", ...moment }));
  expect(timesOf(steps)).toEqual({ measured: false, spans: ["0-0.8", "1-1.8"] });
  expect(timesOf(steps.slice(1))).toEqual({ measured: true, spans: ["0-0"] });
});

test("without any time the steps stand in their order", () => {
  const { measured, spans } = timesOf([
    { step_id: "a", label: "node" },
    { step_id: "b", label: "node" },
  ]);
  expect({ measured, spans }).toEqual({ measured: false, spans: ["0-0.8", "1-1.8"] });
});
