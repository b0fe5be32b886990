import { expect, test } from "vitest";
import { checkSession } from "./check-session.ts";
import { pathText } from "./problem.ts";

test("rules beyond the schema are told with their path", () => {
  const problems = checkSession({
    session_id: "s",
    conversations: [
      {
        conversation_id: "r",
        steps: [
          { step_id: "a", label: "node", depends_on: ["r/b", `${"0".repeat(32)}/x`] },
          { step_id: "b", label: "node", depends_on: ["b", "nowhere"] },
          {
            step_id: "b",
            label: "assistant_call",
            payload_started: {
              prompt_provenance: {
                final_prompt: "0123456789",
                assembly: [{ start: 0, end: 10 }, { part: 1 }, { start: 5, end: 11 }],
              },
            },
          },
        ],
      },
    ],
  });
  expect(problems.map(({ path, message }) => `${pathText(path)} ${message}`)).toEqual([
    "conversations[0].steps[1].depends_on names the step itself",
    'conversations[0].steps[1].depends_on names "nowhere", which is no step of this session',
    'conversations[0].steps[2].step_id is "b", as an earlier step of this run',
    "conversations[0].steps[2].payload_started.prompt_provenance.assembly[2] is 5 to 11",
  ]);
});

test("a cycle is told once, however long it is, and what leads into it is not", () => {
  const length = 50_000;
  const chain = Array.from({ length }, (_, n) => ({
    step_id: `s${n}`,
    label: "node",
    depends_on: `s${(n + 1) % length}`,
  }));
  const outside = { step_id: "outside", label: "node", depends_on: ["s7", "s7"] };
  const problems = checkSession({
    session_id: "s",
    conversations: [{ conversation_id: "r", steps: [outside, ...chain] }],
  });
  expect(problems.map(({ code, path }) => `${code} ${pathText(path)}`)).toEqual([
    "dependency_cycle conversations[0].steps[7].depends_on",
  ]);
});
