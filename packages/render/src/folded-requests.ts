import type { AgentGraph, AgentRequest } from "./agent-graph.ts";

/** Requests of one agent that stand in one place of a graph: one, or several that only went on from one another. */
export type RequestGroup = readonly AgentRequest[];

/** Ways to draw requests in fewer places, the gentlest first: each in its own; a turn of the user in one; an agent's in one, but for those that other agents have to do with. */
export function* requestFoldingsOf({
  edges,
  turns,
}: AgentGraph): Generator<(requests: readonly AgentRequest[]) => readonly RequestGroup[]> {
  yield (requests) => requests.map((request) => [request]);
  const apart = new Set(
    edges.flatMap(({ type, source, target }) => (type === "sequential" ? [] : [source, target])),
  );
  const spoken = new Set(turns.map(({ request }) => request));
  yield (requests) => stretchesOf(requests, apart, spoken);
  yield (requests) => stretchesOf(requests, apart, NONE);
}

const NONE: ReadonlySet<string> = new Set();

/** @param apart Those that stand alone. @param first Those that others behind them may stand with, but none before them. */
function stretchesOf(
  requests: readonly AgentRequest[],
  apart: ReadonlySet<string>,
  first: ReadonlySet<string>,
): readonly RequestGroup[] {
  const groups: AgentRequest[][] = [];
  let open: AgentRequest[] | undefined;
  for (const request of requests) {
    const isApart = apart.has(request.id);
    if (open !== undefined && !isApart && !first.has(request.id)) open.push(request);
    else {
      const group = [request];
      groups.push(group);
      open = isApart ? undefined : group;
    }
  }
  return groups;
}
