import type { Edge, Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { renderers } from "./renderers.ts";

const to = (target: string, type: string): Edge => ({ to: target, type, origin: "declared" });

function thought(step_id: string, payload: Record<string, unknown>, ...edges: Edge[]): Step {
  return { step_id, label: "thought", status: "ok", payload_started: payload, edges };
}

const session: Session = {
  session_id: "caching",
  conversations: [
    {
      conversation_id: "r",
      steps: [
        thought("problem", { thought: "Reads are slow.", thought_type: "reasoning" }),
        thought(
          "plan",
          { thought: "Cache them.", thought_type: "planning", confidence: 0.9 },
          to("problem", "follows"),
        ),
        thought(
          "redis",
          { thought: "Redis it is.", thought_type: "reasoning", branchId: "redis" },
          to("plan", "branches_from"),
        ),
        thought(
          "choice",
          {
            thought: "In memory.",
            thought_type: "decision_frame",
            confidence: "high",
            mergesBranches: ["redis"],
            resolution: "abandoned",
          },
          to("plan", "follows"),
          to("redis", "merges"),
        ),
        thought(
          "correction",
          { thought: "Reads are fine; writes are slow.", isRevision: true },
          to("choice", "follows"),
          to("problem", "revises"),
        ),
      ],
    },
  ],
};

test("a tree names kinds, confidences and branches, and what was revised by what", () => {
  expect(renderers.tree.render(session, { width: 120 }).split("\n").slice(3)).toEqual([
    "   ├─ ✓ thought problem  revised by correction · Reads are slow.",
    "   ├─ ✓ thought plan  planning 0.9: Cache them.  ← problem",
    "   ├─ ✓ thought redis  branch redis: Redis it is.  ← plan",
    "   ├─ ✓ thought choice  decision frame high · merges redis: abandoned: In memory.  ← plan, redis",
    "   └─ ✓ thought correction  Reads are fine; writes are slow.  ← choice, problem",
    "",
  ]);
});

test("a thread says the same above each thought", () => {
  const lines = renderers.thread.render(session).split("\n");
  expect(lines.filter((line) => line.startsWith("thought"))).toEqual([
    "thought · revised by correction",
    "thought · planning · confidence 0.9",
    "thought · branch redis",
    "thought · decision frame · confidence high · merges redis: abandoned",
    "thought",
  ]);
});

test("a thread shows what a thought chose and what it left", () => {
  const steps = [
    thought("decision", { thought: "Ask the API.", alternatives: ["Search", 7, "Ask the user"] }),
    thought("frame", {
      thought: "In memory.",
      options: [
        { label: "In memory", selected: true },
        { label: "Redis", selected: false, reason: "one more thing to run" },
        "odd",
      ],
    }),
  ];
  const shown = renderers.thread.render({
    session_id: "s",
    conversations: [{ conversation_id: "r", steps }],
  });
  expect(shown.split("\n").filter((line) => line.includes("chosen"))).toEqual([
    "   not chosen: Search",
    "   not chosen: Ask the user",
    "   chosen: In memory",
    "   not chosen: Redis (one more thing to run)",
  ]);
});

test("diagrams draw a revised thought as revised, and name what ties thoughts together", () => {
  const d2 = renderers.d2.render(session);
  expect(d2).toContain('label: "thought · revised by correction\\nReads are slow."');
  expect(d2).toContain("class: [thought; revised]");
  expect(d2).toContain('r1.r1s1 -> r1.r1s5: "revised by" { class: declared }');
  expect(d2).toContain('r1.r1s3 -> r1.r1s4: "merged into" { class: declared }');
  expect(d2).toContain('label: "thought · planning · confidence 0.9\\nCache them."');
  const svg = renderers.svg.render(session);
  expect(svg.match(/<g class="revised">/g)?.length).toBe(1);
  expect(svg).toContain("revised later");
  expect(svg).toContain("planning 0.9: Cache them.");
  expect(renderers.mermaid.render(session)).toContain(":::revised");
  expect(renderers.markdown.render(session)).toContain("**Thought** (planning, confidence 0.9)");
});

test("of two ties between the same thoughts the telling one is drawn", () => {
  const [run] = session.conversations;
  const [first] = run?.steps ?? [];
  if (first === undefined) throw new Error("no step");
  const second = thought(
    "again",
    { thought: "No." },
    to("problem", "follows"),
    to("problem", "revises"),
  );
  const d2 = renderers.d2.render({
    ...session,
    conversations: [{ conversation_id: "r", steps: [first, second] }],
  });
  expect(d2).toContain('r1.r1s1 -> r1.r1s2: "revised by"');
});
