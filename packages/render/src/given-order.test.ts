import type { Edge, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { inGivenOrder } from "./given-order.ts";

const at = (step_id: string, label: string, second?: number): Step => ({
  step_id,
  label,
  ...(second !== undefined && { started_at: `2026-03-01T10:00:0${second}.000Z` }),
});
const call = (step_id: string, second: number, given: readonly string[]): Step => ({
  ...at(step_id, "assistant_call", second),
  edges: ["snp_policy", ...given].map((to): Edge => {
    const type = to.endsWith("_out") ? "reads" : "responds_to";
    return { to, type: to === "snp_policy" ? "uses_snapshot" : type, origin: "observed" };
  }),
});
const shown = (steps: readonly Step[]) => inGivenOrder(steps).map(({ step_id }) => step_id);

test("a summary, or a copied history, that a call was given before the new prompt stands before it", () => {
  const summary = at("c.u1", "user_message", 1);
  expect(shown([at("new", "user_message", 1), summary, call("c", 1, ["c.u1", "new"])])).toEqual([
    "c.u1",
    "new",
    "c",
  ]);
  expect(
    shown([
      at("before", "assistant_message", 0),
      at("new", "user_message", 1),
      at("snp_policy", "policy.snapshot", 1),
      summary,
      at("c.h2", "tool_call"),
      at("c.h2_out", "tool_output", 1),
      call("c", 1, ["c.u1", "c.h2_out", "new"]),
    ]),
  ).toEqual(["before", "c.u1", "snp_policy", "c.h2", "c.h2_out", "new", "c"]);
});

test("what came earlier stays before what came later, and what stands elsewhere where it is", () => {
  const steps = [
    at("typed", "user_message", 0),
    at("c.u1", "user_message", 1),
    at("c.u2", "user_message", 1),
    call("c", 1, ["c.u1", "typed", "c.u2"]),
    at("out2", "tool_output", 2),
    at("else", "node", 2),
    at("out1", "tool_output", 2),
    call("d", 2, ["typed", "out1", "out2"]),
  ];
  expect(inGivenOrder(steps)).toBe(steps);
});
