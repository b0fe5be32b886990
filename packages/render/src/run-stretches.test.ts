import type { Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { call, tool } from "../fixtures/agent-calls.ts";
import { d2 } from "./d2.ts";
import { agentStretches, createRunStretches, stretchLabel } from "./run-stretches.ts";
import { svg } from "./svg.ts";

function stretchesOf(steps: readonly Step[]) {
  const told = createRunStretches();
  for (const step of steps) told.add(step);
  return told.stretches;
}

/** A call a second, and the tool that it asked for. */
const steps = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, n) =>
    n % 2 === 0
      ? call(`c${n}`, "main", n)
      : tool(`t${n}`, `c${n - 1}`, "main", {
          payload_started: { name: n % 4 === 1 ? "Bash" : "Edit" },
          ...(n === 1 && { status: "error" }),
        }),
  );

test.each([1, 39, 40, 41, 1_000, 24_003])(
  "of %i steps no more than 40 stretches are kept, which hold all of them in their order",
  (count) => {
    const stretches = stretchesOf(steps(count));
    expect(stretches.length).toBeLessThanOrEqual(40);
    expect(stretches.length).toBeGreaterThanOrEqual(Math.min(count, 20));
    let next = 1;
    for (const { from, steps: held } of stretches) {
      expect(from).toBe(next);
      next += held;
    }
    expect(next).toBe(count + 1);
  },
);

test("a stretch says which steps it holds, what failed, and which tools worked", () => {
  const [first, second] = stretchesOf(steps(600));
  expect(first && stretchLabel(first)).toEqual([
    "steps 1 to 16",
    "8 model calls · 1 error · Bash ×4, Edit ×4",
  ]);
  expect(second && stretchLabel(second)[0]).toBe("steps 17 to 32");
});

test("pictures of a run that is not in memory have its stretches, and its sub-agents beside them", () => {
  const times = { started_at: "2026-01-01T00:00:00.000Z", ended_at: "2026-01-01T00:01:00.000Z" };
  const agents = Array.from({ length: 60 }, (_, n) => ({
    agent_id: `a${n}`,
    name: n < 59 ? "Explore" : "review",
    parent_agent_id: "main",
    totals: { runs: 1, steps: 4, model_calls: 2, tool_calls: 1, errors: 0 },
    ...times,
  }));
  const session: Session = {
    session_id: "s",
    agents: [{ agent_id: "main" }, ...agents],
    conversations: [{ conversation_id: "r", steps: [] }],
  };
  const options = {
    areRunsFolded: true,
    stretches: new Map([["r", stretchesOf(steps(600))]]),
  };
  const source = d2.render(session, options);
  expect(source).toContain('label: "steps 1 to 16\\n8 model calls · 1 error · Bash ×4, Edit ×4"');
  expect(source).toContain('label: "59 × Explore\\n236 steps · 118 model calls"');
  expect(source).toContain('label: "review\\n4 steps · 2 model calls"');
  expect(source).toContain("r1.r1s1 -> r1.r1s2");
  expect(source).not.toContain("-> r1.r1s39");
  const drawing = svg.render(session, options);
  expect(drawing).toContain("steps 1 to 16 · 8 model calls");
  expect(drawing).toContain(">59 × Explore<");
  // Work goes on all the time in a stretch: it is no wait.
  expect(drawing).not.toContain('zigzag"');
});

// Nothing can be counted of how they are gathered: if the list were copied for each of them, it would never end.
test("hundreds of thousands of sub-agents of one name become a stretch in one pass", () => {
  const agent = { agent_id: "a", name: "Explore", parent_agent_id: "main" };
  const agents = Array.from({ length: 200_000 }, () => agent);
  expect(agentStretches(agents).map((one) => one.agent)).toEqual(["200000 × Explore"]);
});
