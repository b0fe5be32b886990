import type { Edge, Step } from "@thoughtflow/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { step } from "../testing/session-of.ts";
import { whyLast } from "../testing/why-last.ts";
import type { WhyNode } from "./why.ts";

const inferred = (to: string, confidence: number): Edge => ({
  to,
  type: "responds_to",
  origin: "inferred",
  confidence,
});

/** The tree as nested lists: each node with its doubts, `^` for what is spelled out elsewhere. */
function drawn({ id, doubts, causes, seen }: WhyNode): unknown {
  const said = [`${seen ? "^" : ""}${id}`, ...doubts.map(({ text }) => text)].join(" ! ");
  return causes.length === 0 ? said : { [said]: causes.map(drawn) };
}

test("failures and revised thoughts come first, snapshots last, every step is spelled out once", () => {
  const why = whyLast([
    step("q", "user_message"),
    step("p", "policy.snapshot"),
    step("m1", "assistant_call", ["p", "q"]),
    step("t1", "tool_call", ["m1"]),
    step("o1", "tool_output", ["t1"]),
    step("t2", "tool_call", ["m1"], { error: { type: "Timeout", message: "3 s" } }),
    step("o2", "tool_error", ["t2"]),
    step("th", "thought", ["q"]),
    step("th2", "thought", [{ to: "th", type: "revises", origin: "declared" }]),
    step("m2", "assistant_call", ["p", "o1", "o2", "th"]),
    step("a", "assistant_message", ["m2"]),
  ]);
  expect(drawn(why.top)).toEqual({
    a: [
      {
        m2: [
          { o2: [{ "t2 ! Timeout: 3 s": ["^m1"] }] },
          { "th ! revised by th2": ["q"] },
          { o1: [{ t1: [{ m1: ["^q", "^p"] }] }] },
          "p",
        ],
      },
    ],
  });
  expect(why.doubts.map(({ node, doubt }) => [node.id, doubt.kind])).toEqual([
    ["t2", "failed"],
    ["th", "revised"],
  ]);
});

test("the way goes on through other runs, and says what is only inferred or not there", () => {
  const why = whyLast(
    [step("q", "user_message"), step("a", "assistant_message", ["q"])],
    [
      step("q", "user_message", [inferred("r1/a", 0.9)]),
      step("m", "assistant_call", ["q", "gone", `${"f".repeat(32)}/x`]),
    ],
  );
  expect(drawn(why.top)).toEqual({
    m: [
      "gone ! no such step",
      `${"f".repeat(32)}/x ! in another session`,
      { q: [{ "r1/a ! inferred 0.9": ["q"] }] },
    ],
  });
});

test("a thought comes after the one before it on its track, unless it says more of it", () => {
  const after = (to: string): Edge => ({ to, type: "follows", origin: "declared" });
  const thought = (id: string, on: readonly string[], ...edges: readonly Edge[]): Step => ({
    ...step(id, "thought", on),
    edges: [...edges],
  });
  const why = whyLast([
    thought("1", []),
    thought("2", [], after("1")),
    thought("3", ["2"], after("2"), { to: "2", type: "related_to", origin: "observed" }),
  ]);
  expect(drawn(why.top)).toEqual({ 3: [{ 2: ["1"] }] });
  expect(why.top.causes[0]?.edge?.type).toBe("related_to");
});

test("a step that rests on nothing is an answer, too", () => {
  expect(whyLast([step("q", "user_message")])).toMatchObject({ steps: [], doubts: [] });
});

test("any graph, cycles included, is a tree in which each step is spelled out once", () => {
  const graph = fc.array(fc.array(fc.nat(12), { maxLength: 5 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(graph, (edges) => {
      const why = whyLast(
        edges.map((targets, at) =>
          step(
            `s${at}`,
            "generic",
            [...new Set(targets)].map((to) => `s${to}`),
          ),
        ),
      );
      const spelled: string[] = [];
      const walk = ({ id, seen, placed, causes }: WhyNode): void => {
        if (!seen && placed !== undefined) spelled.push(id);
        for (const cause of causes) walk(cause);
      };
      walk(why.top);
      expect(spelled).toHaveLength(new Set(spelled).size);
      expect(new Set(spelled)).toEqual(
        new Set([why.top.id, ...why.steps.map((placed) => placed.step.step_id)]),
      );
    }),
  );
});
