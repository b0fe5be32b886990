import { whyOf } from "@thoughtflow/provenance";
import type { Edge, Run, Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { tree } from "./tree.ts";
import { renderWhy } from "./why-view.ts";

const said = (step_id: string, text: string): Step => ({
  ...{ step_id, label: "user_message", origin: "derived" },
  payload_started: { text },
});
const edge = (to: string): Edge => ({ to, type: "responds_to", origin: "observed" });

const call: Step = {
  ...{ step_id: "call", label: "assistant_call" },
  payload_started: { model: "m" },
  depends_on: ["command", "output", "asked"],
  edges: [edge("command"), edge("output"), edge("asked")],
};
const run: Run = {
  conversation_id: "r",
  steps: [
    said("command", "<command-name>/exit</command-name>"),
    said("output", "<local-command-stdout>Bye!</local-command-stdout>"),
    said("asked", "Now add tests."),
    call,
  ],
};
const session: Session = { session_id: "s", conversations: [run] };

test("what a person asked is named before the commands that the program did itself, and what those gave", () => {
  expect(tree.render(session)).toContain("← asked, command, output");
  const why = renderWhy(session, whyOf(session, { run, step: call }));
  expect(why.split("\n").filter((line) => /^[├└]/.test(line))).toEqual([
    "├─ ✓ user Now add tests.  answers, observed · asked",
    "├─ ✓ user /exit  answers, observed · command",
    "└─ ✓ note Bye!  answers, observed · output",
  ]);
});
