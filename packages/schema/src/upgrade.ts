import type { Session } from "./document.ts";
import type { RunV0, SessionV0, StepV0 } from "./versions/v0.ts";

/**
 * Version 0 → 1.0: a run is named by `conversation_id`, and a tool's result is a step of its own that rests on
 * the call. A file that already has this shape stays as it is; no `schema_version` is put into it.
 */
export function upgradeFromV0(session: SessionV0): Session {
  return { ...session, conversations: session.conversations.map(upgradeRun) };
}

function upgradeRun(run: RunV0): Session["conversations"][number] {
  const steps = run.steps.flatMap(upgradeStep);
  if (run.conversation_id !== undefined) {
    return { ...run, conversation_id: run.conversation_id, steps };
  }
  const { id = "", ...others } = run;
  return { ...others, conversation_id: id, steps };
}

function upgradeStep(step: StepV0): readonly StepV0[] {
  const completed = step.payload_completed;
  if (
    step.label !== "tool_call" ||
    completed === undefined ||
    !Object.hasOwn(completed, "output")
  ) {
    return [step];
  }
  const { output, ...others } = completed;
  return [
    { ...step, payload_completed: others },
    {
      step_id: `${step.step_id}_out`,
      label: "tool_output",
      depends_on: step.step_id,
      payload_started: {},
      payload_completed: { result: output },
    },
  ];
}
