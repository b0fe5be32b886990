import type { ScoreLine } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import type { Insertable } from "kysely";
import type { RawCalls } from "../raw-calls.ts";
import type { AgentsTable, ScoresTable, StepsTable, Tables } from "../tables.ts";
import {
  columnText,
  jsonOrNull,
  longTextOrNull,
  momentOrNull,
  textOrNull,
} from "./column-values.ts";
import { countedSteps } from "./counted-steps.ts";
import { llmTrace } from "./llm-trace.ts";
import { nodeTree } from "./node-tree.ts";
import { promptPartRows } from "./prompt-part-rows.ts";
import { graphRun, lastMoment, nodeRun, sumOfCosts } from "./run-rows.ts";
import { edgeRows, snapshotRows, stepRow, thoughtRows } from "./step-rows.ts";
import { stepWords } from "./step-words.ts";

/** A step's row with the words by which it is found. */
export interface SearchableStep {
  readonly row: Insertable<StepsTable>;
  readonly words: string;
}

type DerivedTable =
  | "graph_runs"
  | "node_runs"
  | "llm_traces"
  | "edges"
  | "thoughts"
  | "agents"
  | "snapshots"
  | "scores"
  | "prompt_parts";

/** What a session's document is in the tables. */
export type SessionRows = { readonly [T in DerivedTable]: readonly Insertable<Tables[T]>[] } & {
  readonly sessions: readonly [Insertable<Tables["sessions"]>];
  readonly steps: readonly SearchableStep[];
};

/** All rows of a session. */
export function sessionRows(
  session: Session,
  scores: readonly ScoreLine[],
  rawCalls: RawCalls,
): SessionRows {
  const session_id = columnText(session.session_id);
  const runs = session.conversations.map((run, at) => {
    const tree = nodeTree(run);
    const calls = countedSteps(run.steps);
    const [nodeSet, callSet] = [new Set(tree.nodes), new Set(calls)];
    const steps = run.steps.map((step, position) => {
      const place = { session_id, run: at, step: position };
      return {
        step: { row: stepRow(run, step, place), words: stepWords(step) },
        nodes: nodeSet.has(step) ? [nodeRun(session, run, step, place, tree)] : [],
        calls: callSet.has(step) ? [llmTrace(session, run, step, place, tree, rawCalls)] : [],
        parts: callSet.has(step) ? promptPartRows(session, run, step, place) : [],
        edges: edgeRows(step, place),
        thoughts: thoughtRows(step, place),
        snapshots: snapshotRows(step, place),
      };
    });
    return { run: graphRun(session, run, at, calls), calls, steps };
  });
  const steps = runs.flatMap((one) => one.steps);
  return {
    sessions: [
      {
        session_id,
        revision: session.revision ?? 0,
        title: longTextOrNull(session.title),
        tags: jsonOrNull(session.tags),
        status: textOrNull(session.status),
        status_reason: longTextOrNull(session.status_reason),
        origin: textOrNull(session.origin),
        user_id: textOrNull(session.user),
        started_at: momentOrNull(session.started_at),
        ended_at: momentOrNull(session.ended_at),
        last_at: lastMoment(session.conversations),
        runs: runs.length,
        steps: steps.length,
        cost_usd: sumOfCosts(runs.flatMap((one) => one.calls)),
        resource: jsonOrNull(session.resource),
      },
    ],
    graph_runs: runs.map((one) => one.run),
    node_runs: steps.flatMap((one) => one.nodes),
    llm_traces: steps.flatMap((one) => one.calls),
    steps: steps.map((one) => one.step),
    edges: steps.flatMap((one) => one.edges),
    thoughts: steps.flatMap((one) => one.thoughts),
    agents: (session.agents ?? []).map((agent, at) => agentRow(session_id, agent, at)),
    snapshots: steps.flatMap((one) => one.snapshots),
    scores: scores.map((score, at) => scoreRow(session_id, score, at)),
    prompt_parts: steps.flatMap((one) => one.parts),
  };
}

function agentRow(session_id: string, agent: unknown, at: number): Insertable<AgentsTable> {
  const { agent_id: id, name } = Object(agent) as Readonly<Record<string, unknown>>;
  return {
    session_id,
    agent: at,
    agent_id: textOrNull(id),
    name: textOrNull(name),
    details: jsonOrNull(agent),
  };
}

function scoreRow(session_id: string, line: ScoreLine, at: number): Insertable<ScoresTable> {
  return {
    session_id,
    score: at,
    run_id: textOrNull(line.target.run),
    step_id: textOrNull(line.target.step),
    edge: textOrNull(line.target.edge),
    name: textOrNull(line.name),
    value: line.value ?? null,
    label: textOrNull(line.label),
    source: textOrNull(line.source),
    author: textOrNull(line.author),
    explanation: longTextOrNull(line.explanation),
    scored_at: momentOrNull(line.scored_at),
  };
}
