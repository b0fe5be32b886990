import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { totalsOf } from "./totals.ts";

const failed = (id: string, label: string, error: Step["error"], more: Partial<Step> = {}): Step =>
  ({
    step_id: id,
    trace_id: "t",
    label,
    status: "error",
    origin: "recorded",
    ...(error !== undefined && { error }),
    ...more,
  }) as Step;

const refused = { type: "BadRequest", message: "400: no such model" };
const call = failed("call", "assistant_call", refused, { parent_step_id: "turn" });

test("an error that the steps around only pass on is one, whatever they say around it", () => {
  const turn = failed("turn", "node", { message: "Turn failed: 400: no such model" });
  const inAgent = { ...turn, parent_step_id: "agent" };
  const agent = failed("agent", "agent", undefined);
  expect(totalsOf([call, turn]).errors).toBe(1);
  expect(totalsOf([agent, inAgent, call]).errors).toBe(1);
  const twice = [agent, inAgent, call, { ...call, step_id: "again" }];
  expect(totalsOf(twice).errors).toBe(2);
});

test("a step that failed for another reason than what stands in it is an error of its own", () => {
  const turn = failed("turn", "node", { type: "TooManyTurns", message: "gave up" });
  expect(totalsOf([turn, call]).errors).toBe(2);
  const other = failed("turn", "node", refused, { trace_id: "another" });
  expect(totalsOf([other, call]).errors).toBe(2);
  const handled = { ...turn, status: "ok" } as Step;
  expect(totalsOf([handled, call]).errors).toBe(1);
});

test("of steps with one id in two runs of a trace only the one that something failed in passes its error on", () => {
  const turn = failed("turn", "node", refused);
  expect(totalsOf([turn, { ...turn }, call]).errors).toBe(2);
  expect(totalsOf([turn, call, { ...turn }]).errors).toBe(2);
});
