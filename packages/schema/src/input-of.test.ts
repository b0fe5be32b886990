import { expect, test } from "vitest";
import type { Run, Session, Step } from "./document.ts";
import { inputOf } from "./input-of.ts";

const step = (step_id: string, label: string, depends_on: string[] = []): Step => ({
  step_id,
  label,
  depends_on,
});

const call = (step_id: string, input: string[]): Step => ({
  ...step(step_id, "assistant_call"),
  payload_started: { input },
});

const run = (conversation_id: string, ...steps: Step[]): Run => ({ conversation_id, steps });

function inputIds(session: Session, runIndex: number, id: string): string[] {
  const from = session.conversations[runIndex] ?? run("none");
  const start = from.steps.find(({ step_id }) => step_id === id) ?? step(id, "missing");
  return inputOf(session, from, start).map(
    (item) => `${item.run.conversation_id}/${item.step.step_id}`,
  );
}

test("an earlier call stands for its own input and what it gave, across runs", () => {
  const session: Session = {
    session_id: "s",
    conversations: [
      run(
        "r1",
        step("u1", "user_message"),
        call("c1", ["u1"]),
        step("c1.th", "thought", ["c1"]),
        step("c1.t1", "tool_call", ["c1"]),
        step("c1.t1_out", "tool_output", ["c1.t1"]),
        call("c2", ["c1", "c1.t1_out"]),
        step("m", "assistant_message", ["c2"]),
      ),
      run("r2", step("u1", "user_message"), call("c3", ["r1/c2", "u1", "nowhere"])),
    ],
  };
  expect(inputIds(session, 1, "c3")).toEqual([
    "r1/u1",
    "r1/c1.th",
    "r1/c1.t1",
    "r1/c1.t1_out",
    "r1/m",
    "r2/u1",
  ]);
});

test("calls that name one another end", () => {
  const session: Session = {
    session_id: "s",
    conversations: [
      run("r", call("a", ["b", "b"]), call("b", ["a", "u"]), step("u", "user_message")),
    ],
  };
  expect(inputIds(session, 0, "a")).toEqual(["r/u"]);
});

test("a history longer than the call stack is spelled out", () => {
  const calls = Array.from({ length: 20_000 }, (_, n) =>
    run(
      `r${n}`,
      step(`u${n}`, "user_message"),
      call(`c${n}`, [...(n > 0 ? [`c${n - 1}`] : []), `u${n}`]),
    ),
  );
  expect(inputIds({ session_id: "s", conversations: calls }, 19_999, "c19999")).toHaveLength(
    20_000,
  );
});
