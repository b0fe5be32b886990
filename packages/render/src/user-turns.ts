import type { Step } from "@thoughtflow/schema";
import { typedWords } from "@thoughtflow/workflow";
import type {
  AgentNode,
  RequestNode,
  Workflow,
  WorkflowCall,
} from "@thoughtflow/workflow/document";
import { snippet } from "./clean-text.ts";
import { isTyped, messageWords } from "./step-summary.ts";

/** Where a user spoke: a run that an agent began which nobody asked for. */
export interface UserTurn {
  /** The first request of that agent in the run, by its id in the graph. */
  readonly request: string;
  /** What was said, one line of at most 300 characters; empty where that is not known. */
  readonly words: string;
}

/** Of the calls of a session, with the node of each. A run that says that something else began it is none. */
export function turnsOfCalls(
  calls: readonly WorkflowCall[],
  requests: readonly RequestNode[],
  agents: readonly AgentNode[],
): readonly UserTurn[] {
  const first = firstOfRuns(
    calls.map(({ run, agentId }, at) => ({ run, agentId, at })),
    agents,
  );
  return first.flatMap((at): readonly UserTurn[] => {
    const [call, request] = [calls[at], requests[at]];
    if (call === undefined || request === undefined) return [];
    return turnOf(request, call.run.trigger, wordsOf(lastSaid(call.given)));
  });
}

/** The same of a workflow document, where only the last of a user's messages is looked at. */
export function turnsOfWorkflow({
  entities,
  workflow_dag: { nodes, request_nodes: requests },
}: Pick<Workflow, "entities" | "workflow_dag">): readonly UserTurn[] {
  const entityOf = new Map(entities.api_requests.map((one) => [one.id, one]));
  const messages = new Map(entities.messages.map((one) => [one.id, one]));
  const inRuns = requests.map((request, at) => {
    const { session_id: session, run_id: run } = entityOf.get(request.request_id) ?? {};
    return { run: JSON.stringify([session, run]), agentId: request.agent_id, at };
  });
  return firstOfRuns(inRuns, nodes).flatMap((at): readonly UserTurn[] => {
    const request = requests[at];
    if (request === undefined) return [];
    const { input, run_trigger: trigger } = entityOf.get(request.request_id) ?? {};
    const { role, content } = messages.get(input ?? "") ?? {};
    const { text } = (content ?? {}) as { readonly text?: unknown };
    const words = role === "user" && typeof text === "string" ? typedWords(text) : "";
    return turnOf(request, trigger, snippet(words ?? "", LONGEST));
  });
}

/** Where it is not told what began a run, words tell that a user did. */
function turnOf(
  { id }: RequestNode,
  trigger: string | undefined,
  words: string,
): readonly UserTurn[] {
  const isTurn = trigger === undefined ? words !== "" : trigger === "user_message";
  return isTurn ? [{ request: id, words }] : [];
}

const LONGEST = 300;

/** What a program asks for itself, beside an agent and before it, as imports of logs call it. */
const BESIDE = /^(?:probe$|side: )/;

/** In each run the first request of an agent that nobody asked for. */
function firstOfRuns<Run>(
  requests: readonly { readonly run: Run; readonly agentId: string; readonly at: number }[],
  agents: readonly AgentNode[],
): readonly number[] {
  const spokenTo = new Set(
    agents.flatMap((one) => (one.is_root && !BESIDE.test(one.name ?? "") ? one.agent_id : [])),
  );
  const first = new Map<Run, number>();
  for (const { run, agentId, at } of requests)
    if (spokenTo.has(agentId) && !first.has(run)) first.set(run, at);
  return [...first.values()];
}

/** Of what a request was given the messages of the user that nothing else follows but one another. */
function lastSaid(given: readonly Step[]): readonly Step[] {
  const end = given.findLastIndex(({ label }) => label === "user_message") + 1;
  const before = given.slice(0, end).findLastIndex(({ label }) => label !== "user_message");
  return given.slice(before + 1, end);
}

/** What was typed; what a program alone wrote only where nothing was. */
function wordsOf(said: readonly Step[]): string {
  const words = said.flatMap((step) => messageWords(step) ?? []);
  const typed = said
    .filter(isTyped)
    .flatMap((step) => messageWords(step) ?? [])
    .filter((text) => typedWords(text) !== undefined);
  const shown = typed.length > 0 ? typed : words;
  return snippet(shown.slice(0, 4).join(" · "), LONGEST);
}
