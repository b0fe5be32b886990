import { expect, test } from "vitest";
import { sessionNamed, step } from "../testing/session-of.ts";
import { impactOf } from "./impact.ts";

const VERSION = "ab12cd34ab12cd34";
const call = (id: string, on: readonly string[], parts: readonly object[] = []) =>
  step(id, "assistant_call", on, { payload_started: { prompt_provenance: { parts } } });

const first = sessionNamed("one", [
  step("q", "user_message"),
  step(`snp_policy_${VERSION}`, "policy.snapshot", [], { payload_started: { version: VERSION } }),
  call("m1", ["q", `snp_policy_${VERSION}`]),
  step("a1", "assistant_message", ["m1"]),
  call("m2", ["q"], [{ type: "memory", id: "mem.home", version: "2", hash: "0011223344556677" }]),
  step("a2", "assistant_message", ["m2"]),
]);
const second = sessionNamed("two", [
  step("x", "generic"),
  step("adn", "prompt.adaptations", [], { payload_completed: { included_ids: ["adn.units"] } }),
  call("m3", ["adn", `${"1".repeat(32)}/m1`]),
]);

/** What rests on a subject, by session. */
const restingOn = (subject: string) =>
  Object.fromEntries(
    impactOf([first, second], subject).map(({ session, steps }) => [
      session.session_id,
      steps.map((placed) => placed.step.step_id),
    ]),
  );

test.each([
  [`snp_policy_${VERSION}`, { one: ["m1", "a1"], two: ["m3"] }],
  ["snp_policy_ab12", { one: ["m1", "a1"], two: ["m3"] }],
  [VERSION, { one: ["m1", "a1"], two: ["m3"] }],
  ["r1/m1", { one: ["a1"], two: ["m3"] }],
  ["q", { one: ["m1", "a1", "m2", "a2"], two: ["m3"] }],
  ["mem.home", { one: ["m2", "a2"] }],
  ["0011223344556677", { one: ["m2", "a2"] }],
  ["memory", { one: ["m2", "a2"] }],
  ["adn.units", { two: ["m3"] }],
  ["x", { two: [] }],
  ["nobody", {}],
])("what rests on %s", (subject, steps) => {
  expect(restingOn(subject)).toEqual(steps);
});
