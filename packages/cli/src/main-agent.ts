import type { PlacedStep, Session } from "@thoughtflow/schema";

/**
 * Where most people look: the last step of the wanted kind of an agent that nobody asked for and that was called more than once. The
 * last of all may be a sub-agent's, or a question that a program asks beside, as for a title.
 */
export function lastOfMainAgent(
  { agents = [], conversations }: Session,
  isWanted: (step: PlacedStep["step"]) => boolean,
): PlacedStep | undefined {
  const calls = new Map<string | undefined, number>();
  const wanted: PlacedStep[] = [];
  for (const run of conversations) {
    for (const step of run.steps) {
      if (step.label === "assistant_call")
        calls.set(step.agent_id, (calls.get(step.agent_id) ?? 0) + 1);
      if (isWanted(step)) wanted.push({ run, step });
    }
  }
  const asked = new Set(
    agents.flatMap((one) => (one.parent_agent_id === undefined ? [] : one.agent_id)),
  );
  const roots = wanted.filter(({ step }) => !asked.has(step.agent_id ?? ""));
  return (
    roots.findLast(({ step }) => (calls.get(step.agent_id) ?? 0) > 1) ??
    roots.at(-1) ??
    wanted.at(-1)
  );
}
