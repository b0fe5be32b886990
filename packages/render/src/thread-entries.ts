import type { Run, Session, Step } from "@thoughtflow/schema";
import { typedCommand } from "@thoughtflow/workflow";
import { agentFamilies } from "./agent-families.ts";
import { snippet } from "./clean-text.ts";
import { inGivenOrder } from "./given-order.ts";
import { edgesOf } from "./step-edges.ts";
import { kindOf } from "./step-kind.ts";
import { stepText } from "./step-summary.ts";

/** How prominent a step is in a reading: something said, something done, or what stood in the background. */
export type Prominence = "said" | "done" | "background";

/** A step of a thread, and its text in full where it is shown here. */
export interface ThreadEntry {
  readonly step: Step;
  readonly prominence: Prominence;
  readonly text: string | undefined;
  /** What the agent is called whose step it is, in a run of several, where the step before is another one's. */
  readonly agent: string | undefined;
}

/** With what it was asked, where that tells it apart: it is read again and again. */
const LONGEST_NAME = 60;

/** What a session's agents are called, by their ids. */
export type AgentNames = ReadonlyMap<string, string>;

/** Whose steps a thread tells apart. */
export function agentNamesOf(session: Session): AgentNames {
  const { labelOf } = agentFamilies(session);
  return new Map(
    (session.agents ?? []).map((agent) => [agent.agent_id, snippet(labelOf(agent), LONGEST_NAME)]),
  );
}

/**
 * The steps of a run as one would read them: messages and thoughts with their text, calls and outputs, context.
 * The text of a model call is left to the answer that rests on it, so that nothing is read twice. Steps of other
 * libraries are left out.
 */
export function threadOf(run: Run, names: AgentNames): readonly ThreadEntry[] {
  const answered = new Set(
    run.steps
      .filter((step) => step.label === "assistant_message")
      .flatMap((step) => edgesOf(step).map((edge) => edge.to)),
  );
  const steps = inGivenOrder(run.steps).filter((step) => step.label !== "generic");
  const agentOf = agentsInTurn(steps, names);
  return steps.map((step) => {
    const text = answered.has(step.step_id) ? undefined : wordsOf(step);
    return { step, prominence: prominenceOf(step), text, agent: agentOf(step) };
  });
}

/** A step's text in full; of a command that a program noted what was typed. */
function wordsOf(step: Step): string | undefined {
  const text = stepText(step);
  return text === undefined || step.label !== "user_message" ? text : (typedCommand(text) ?? text);
}

/** Of each of these steps in turn, what the agent is called whose it is, where several have some and the step before is another one's. */
export function agentsInTurn(
  steps: readonly Step[],
  names: AgentNames,
): (step: Step) => string | undefined {
  const agents = new Set(steps.flatMap(({ agent_id: id }) => id ?? []));
  let latest: string | undefined;
  return ({ agent_id: id = latest }) => {
    const isOther = agents.size > 1 && id !== latest;
    latest = id;
    return isOther && id !== undefined ? (names.get(id) ?? id) : undefined;
  };
}

function prominenceOf(step: Step): Prominence {
  const kind = kindOf(step);
  if (kind === "context") return "background";
  return kind === "user" || kind === "answer" || kind === "thought" ? "said" : "done";
}
