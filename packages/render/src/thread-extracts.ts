import type { Run, Session, Step } from "@thoughtflow/schema";
import { typedWords } from "@thoughtflow/workflow";
import { kindOf } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { isTyped, messageWords } from "./step-summary.ts";
import {
  type AgentNames,
  agentNamesOf,
  agentsInTurn,
  type ThreadEntry,
  threadOf,
} from "./thread-entries.ts";

/**
 * What is shown of a run that is too long: what was said to the agents that nobody asked for, and by them, with what failed and the tools
 * that asked other agents; or the first words of the user and the last answer.
 */
export type Extract = "whole" | "talk" | "ends";

/** The threads of a session's runs, or what is shown of them. */
export function threadsOf(
  session: Session,
): (run: Run, extract: Extract) => readonly ThreadEntry[] {
  const names = agentNamesOf(session);
  const subAgents = new Set(
    (session.agents ?? []).flatMap(({ agent_id: id, parent_agent_id: parent }) =>
      parent === undefined ? [] : [id],
    ),
  );
  return (run, extract) =>
    extract === "whole"
      ? threadOf(run, names)
      : withAgents(extractOf(run, subAgents, names, extract), names);
}

function extractOf(
  run: Run,
  subAgents: ReadonlySet<string>,
  names: AgentNames,
  extract: Extract,
): readonly ThreadEntry[] {
  const isOwn = ({ agent_id: id }: Step) => id === undefined || !subAgents.has(id);
  const own = threadOf({ ...run, steps: run.steps.filter(isOwn) }, names).flatMap(inWords);
  if (extract === "ends") {
    const called = own.findIndex(({ step }) => kindOf(step) !== "user");
    const asked = called < 0 ? own : own.slice(0, called);
    const answer = own.findLast(({ step }) => kindOf(step) === "answer");
    return answer === undefined ? asked : [...asked, answer];
  }
  const asking = new Set(
    run.steps.flatMap(({ label, parent_step_id: parent }) => (label === "agent" ? parent : [])),
  );
  return own.filter(
    ({ step, prominence }) =>
      prominence === "said" || asking.has(step.step_id) || stepState(step) === "error",
  );
}

/** Where the steps between are left out, another one's may stand before. */
function withAgents(entries: readonly ThreadEntry[], names: AgentNames): readonly ThreadEntry[] {
  const agentOf = agentsInTurn(
    entries.map(({ step }) => step),
    names,
  );
  return entries.map((entry) => ({ ...entry, agent: agentOf(entry.step) }));
}

/** What a user typed, without what a program put before it or wrote alone; any other entry as it is. */
function inWords(entry: ThreadEntry): readonly ThreadEntry[] {
  if (entry.step.label === "user_message" && !isTyped(entry.step)) return [];
  if (kindOf(entry.step) !== "user") return [entry];
  const text = typedWords(messageWords(entry.step) ?? "");
  return text === undefined ? [] : [{ ...entry, text }];
}
