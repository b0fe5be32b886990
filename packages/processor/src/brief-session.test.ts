import type { RunTie } from "@thoughtflow/assemble";
import { d2, svg } from "@thoughtflow/render";
import type { Run, Session, Step } from "@thoughtflow/schema";
import { SCHEMA_VERSION } from "@thoughtflow/schema/canonical";
import { expect, test } from "vitest";
import { createBriefSession } from "./brief-session.ts";

const START = Date.UTC(2026, 4, 1);
const FOLDED = { areRunsFolded: true };

/** Each run answers what the one before said; some of them look far back, too. */
function longSession(count: number): { session: Session; ties: readonly (readonly RunTie[])[] } {
  const ties = Array.from({ length: count }, (_, at) => tiesOf(at));
  const conversations = ties.map((own, at): Run => {
    const time = (seconds: number): string => new Date(START + 1_000 * seconds).toISOString();
    const said: Step = {
      ...{ step_id: "s_said", label: "user_message", payload_started: { text: `Do ${at}` } },
      ...{ started_at: time(at), ended_at: time(at) },
      edges: own.map(({ to, edge }) => ({ to: `${to.run}/${to.step}`, ...edge })),
    };
    const answer: Step = {
      ...{ step_id: "s_answer", label: "assistant_message" },
      ...{ started_at: time(at), ended_at: time(at + 0.5) },
    };
    return {
      ...{ conversation_id: `r_${at}`, run_id: `r_${at}`, name: "Agent", status: "completed" },
      ...{ started_at: time(at), ended_at: time(at + 0.5) },
      totals: { steps: 2, model_calls: 1, tool_calls: 0, errors: 0 },
      steps: [said, answer],
    };
  });
  const totals = { runs: count, steps: 2 * count, model_calls: count, tool_calls: 0, errors: 0 };
  const head = { schema_version: SCHEMA_VERSION, session_id: "long", title: "Long", totals };
  return { session: { ...head, conversations }, ties };
}

function tiesOf(at: number): readonly RunTie[] {
  const back = [1, ...(at % 50 === 0 ? [at, Math.ceil(at / 2)] : [])].filter(
    (by) => by <= at && by > 0,
  );
  return [...new Set(back)].map((by) => ({
    from: { run: `r_${at}`, step: "s_said", label: "user_message" },
    to: { run: `r_${at - by}`, step: "s_answer", label: "assistant_message" },
    edge: { type: "responds_to", origin: "inferred", confidence: by === 1 ? 0.9 : 0.5 },
  }));
}

test.each([3, 199, 200, 201, 437, 1_500])(
  "pictures of %i runs, each one box, are those of the whole session",
  (count) => {
    const { session, ties } = longSession(count);
    const { conversations, ...head } = session;
    for (const stretch of [1, 7, 1_000]) {
      const brief = createBriefSession();
      for (let at = 0; at < count; at += stretch) {
        for (const run of conversations.slice(at, at + stretch)) brief.add(run);
        brief.tie(ties.slice(at, at + stretch).flat());
      }
      const made = brief.session({ ...head, conversations: [] });
      expect(d2.render(made, brief.options)).toBe(d2.render(session, FOLDED));
      expect(svg.render(made, brief.options)).toBe(svg.render(session, FOLDED));
    }
  },
);

test("what is kept of a long session is as much as the pictures show", () => {
  const { session, ties } = longSession(5_000);
  const brief = createBriefSession();
  for (const [at, run] of session.conversations.entries()) {
    brief.add(run);
    brief.tie(ties[at] ?? []);
  }
  const { conversations } = brief.session({ ...session, conversations: [] });
  expect(conversations.length).toBeLessThan(400);
});

test("of few runs the long ones are known stretch by stretch, of many none", () => {
  const { session } = longSession(6);
  const steps = Array.from(
    { length: 300 },
    (_, n): Step => ({ step_id: `s${n}`, label: "generic" }),
  );
  const brief = createBriefSession();
  const [first, ...others] = session.conversations;
  if (first === undefined) throw new Error("no run");
  brief.add({ ...first, steps });
  for (const run of others.slice(0, 4)) brief.add(run);
  expect([...(brief.options.stretches?.keys() ?? [])]).toEqual(["r_0"]);
  expect(brief.options.stretches?.get("r_0")?.reduce((sum, one) => sum + one.steps, 0)).toBe(300);
  for (const run of others.slice(4)) brief.add(run);
  expect(brief.options.stretches?.size).toBe(0);
});
