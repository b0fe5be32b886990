import type { LinkedAgents } from "./agent-graph.ts";
import { agentLabels } from "./agent-labels.ts";
import { agentsInOrder } from "./agent-order.ts";
import { groupLabel } from "./alike-agents.ts";
import { type AgentGroup, foldingsOf } from "./folded-agents.ts";
import type { TimeSpan } from "./step-times.ts";

type Agent = LinkedAgents["agents"][number];

/** A row of a chart: an agent, several that were never at work at the same time, or a crowd. */
export interface Lane {
  readonly agents: readonly Agent[];
  /** Empty for what goes on from the lane above. */
  readonly label: string;
  /** What the label may have no room for. */
  readonly title: string;
  /** How many agents stand above it that asked for one another. */
  readonly depth: number;
  /** How many requests were going on at the same time, at most, where these are too many to draw each. */
  readonly atOnce?: number;
}

/** A crowd's lane is so many times as high as others. */
export const CROWD_ROWS = 3;
/** A chart is no higher than so many rows, where folding helps. */
const MOST_ROWS = 160;
/** So many rows of one group are drawn before it is a crowd. */
const MOST_SHARED = 12;

type SpanFor = (request: Agent["requests"][number]) => TimeSpan | undefined;

/**
 * Each agent below the one that asked for it. Of many agents those of one name that one agent asked for, and that asked for none, share
 * lanes, as many as were at work at the same time. Where that is too high, groups of too many lanes are crowds, and where it still is,
 * groups are of all that is below an agent.
 */
export function lanesOf({ agents, edges }: LinkedAgents, spanFor: SpanFor): readonly Lane[] {
  const placed = agentsInOrder({ agents, edges });
  const depths = new Map(placed.map(({ agent, depth }) => [agent, depth]));
  const labels = agentLabels(agents);
  let lanes: readonly Lane[] = [];
  for (const groups of foldingsOf(placed, edges)) {
    const each = groups.map((group): readonly Lane[] => {
      const [agent] = group;
      if (agent === undefined) return [];
      const depth = depths.get(agent) ?? 0;
      if (group.length > 1) {
        const own = sharedLanes(group, depth, spanFor);
        return own.length > CROWD_ROWS && isBeside(group, depth) ? [crowdOf(own, spanFor)] : own;
      }
      const { label: title, task } = agent;
      const told = task === "" ? title : `${title}: ${task}`;
      return [{ agents: [agent], label: labels.get(agent) ?? "", title: told, depth }];
    });
    lanes = each.flat();
    if (lanes.length <= MOST_ROWS) return lanes;
    lanes = each.flatMap((own) => (own.length > MOST_SHARED ? [crowdOf(own, spanFor)] : own));
    if (rowsOf(lanes) <= MOST_ROWS) return lanes;
  }
  return lanes;
}

function rowsOf(lanes: readonly Lane[]): number {
  return lanes.reduce((sum, { atOnce }) => sum + (atOnce === undefined ? 1 : CROWD_ROWS), 0);
}

/** Nobody asked for them, and each made one request: most of their lanes would be empty. */
function isBeside(group: AgentGroup, depth: number): boolean {
  return depth === 0 && group.every(({ requests }) => requests.length === 1);
}

/** As many lanes as it takes for none to stand over another. */
function sharedLanes(group: AgentGroup, depth: number, spanFor: SpanFor): readonly Lane[] {
  const timed = group.map((agent) => {
    const spans = agent.requests.flatMap((request) => spanFor(request) ?? []);
    const start = spans.reduce((least, span) => Math.min(least, span.start), Infinity);
    const end = spans.reduce((most, span) => Math.max(most, span.end), -Infinity);
    return { agent, start, end };
  });
  const rows: { readonly agents: Agent[]; end: number }[] = [];
  for (const { agent, start, end } of timed.sort((one, other) => one.start - other.start)) {
    const row = rows.find((one) => one.end <= start);
    if (row === undefined) rows.push({ agents: [agent], end });
    else {
      row.agents.push(agent);
      row.end = Math.max(row.end, end);
    }
  }
  const label = groupLabel(group);
  return rows.map((row, at) => ({
    agents: row.agents,
    label: at === 0 ? label : "",
    title: label,
    depth,
  }));
}

function crowdOf(lanes: readonly Lane[], spanFor: SpanFor): Lane {
  const [{ label, title, depth } = { label: "", title: "", depth: 0 }] = lanes;
  const agents = lanes.flatMap((lane) => lane.agents);
  return { agents, label, title, depth, atOnce: mostAtOnce(agents, spanFor) };
}

function mostAtOnce(agents: readonly Agent[], spanFor: SpanFor): number {
  const spans = agents.flatMap(({ requests }) => requests.flatMap((one) => spanFor(one) ?? []));
  const starts = Float64Array.from(spans.map(({ start }) => start)).sort();
  const ends = Float64Array.from(spans.map(({ end }) => end)).sort();
  let most = 0;
  let over = 0;
  for (const [at, start] of starts.entries()) {
    while ((ends[over] ?? Infinity) <= start) over++;
    most = Math.max(most, at + 1 - over);
  }
  return most;
}
