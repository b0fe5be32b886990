import { type AgentLink, isOnlyLikely, type LinkedAgents } from "./agent-graph.ts";
import { agentLabels } from "./agent-labels.ts";
import { agentsInOrder } from "./agent-order.ts";
import { alikeAgents, groupLabel } from "./alike-agents.ts";
import { snippet } from "./clean-text.ts";
import { confidenceWords, counted } from "./figures.ts";
import type { LineStyle } from "./flow-graph.ts";
import { foldedAgents } from "./folded-agents.ts";
import type { StepKind } from "./step-kind.ts";
import { wrapColumns } from "./wrap-columns.ts";

/** The kinds of steps that lend types of agents their colours, in the order in which types are met; for those that are left the last. Tools have their own. */
export const agentKinds: readonly StepKind[] = [
  "model",
  "answer",
  "thought",
  "agent",
  "user",
  "memory",
  "context",
  "other",
];

/** An agent as a box of a diagram; or many that are alike. */
export interface AgentBox {
  /** `a1`, `a2` … */
  readonly key: string;
  /** Its name and what it did. */
  readonly lines: readonly string[];
  readonly id: string;
  readonly kind: StepKind;
}

/** What led from one agent to another, however often. */
export interface AgentArrow {
  readonly from: string;
  readonly to: string;
  readonly words: string;
  readonly style: LineStyle;
}

/** Columns of a line in a box: agents that one asked for stand side by side. */
const longestLine = 26;

/** More are no picture. */
const MOST_BOXES = 100;

/** Agents as boxes, and arrows between them: no requests. What is only likely has none where something is known. */
export function agentBoxes({ agents, edges }: LinkedAgents): {
  readonly boxes: readonly AgentBox[];
  readonly arrows: readonly AgentArrow[];
  /** Whether more of them stand on one level than have room side by side. */
  readonly isWide: boolean;
} {
  const types = [...new Set(agents.map(({ type }) => type))];
  const labels = agentLabels(agents);
  const keys = new Map<string, string>();
  const alike = alikeAgents({ agents, edges });
  const groups =
    alike.length <= MOST_BOXES
      ? alike
      : foldedAgents(agentsInOrder({ agents, edges }), edges, MOST_BOXES);
  const boxes = groups.flatMap((group, at): readonly AgentBox[] => {
    const [agent] = group;
    if (agent === undefined) return [];
    const key = `a${at + 1}`;
    const requests = group.flatMap((one) => one.requests);
    for (const request of requests) keys.set(request.id, key);
    const errors = requests.filter(({ isError }) => isError).length;
    const failed = requests.flatMap(({ tools }) => tools.filter(({ isError }) => isError)).length;
    const figures = [counted(requests.length, "request")];
    if (errors > 0) figures.push(counted(errors, "error"));
    if (failed > 0) figures.push(counted(failed, "failed tool"));
    const { id, type } = agent;
    const name = group.length > 1 ? groupLabel(group) : labels.get(agent);
    const kind = agentKinds[Math.min(types.indexOf(type), agentKinds.length - 1)] ?? "other";
    const words = wrapColumns(snippet(name || id, 60), longestLine).map((line) => line.trim());
    return [{ key, id, kind, lines: [...words, figures.join(" · ")] }];
  });
  const arrows = arrowsBetween(edges, keys);
  return { boxes, arrows, isWide: isWide(boxes, arrows) };
}

const MOST_BESIDE = 8;

function isWide(boxes: readonly AgentBox[], arrows: readonly AgentArrow[]): boolean {
  const asked = new Set(arrows.map(({ to }) => to));
  const roots = boxes.filter(({ key }) => !asked.has(key)).length;
  const below = new Map<string, Set<string>>();
  for (const { from, to } of arrows) below.set(from, (below.get(from) ?? new Set()).add(to));
  return Math.max(roots, ...[...below.values()].map(({ size }) => size)) > MOST_BESIDE;
}

/** What led from one box to another, however often. */
interface Tie {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly isInferred: boolean;
  count: number;
  least: number;
  most: number;
}

function arrowsBetween(
  edges: readonly AgentLink[],
  keys: ReadonlyMap<string, string>,
): readonly AgentArrow[] {
  const ties = new Map<string, Tie>();
  const known = new Set<string>();
  for (const { source, target, type, confidence } of edges) {
    const [from, to] = [keys.get(source), keys.get(target)];
    if (from === undefined || to === undefined || from === to) continue;
    const isInferred = confidence < 1;
    const key = `${from} ${to} ${type} ${isInferred}`;
    const tie = ties.get(key) ?? { from, to, type, isInferred, count: 0, least: 1, most: 0 };
    ties.set(key, tie);
    tie.count++;
    tie.least = Math.min(tie.least, confidence);
    tie.most = Math.max(tie.most, confidence);
    if (!isOnlyLikely(type)) known.add(`${from} ${to}`);
  }
  return [...ties.values()]
    .filter(({ from, to, type }) => !isOnlyLikely(type) || !known.has(`${from} ${to}`))
    .map(({ from, to, type, isInferred, count, least, most }) => {
      const words = [type.replaceAll("_", " ")];
      if (isInferred) words.push(confidenceWords(least, most));
      if (count > 1) words.push(`×${count}`);
      return { from, to, words: words.join(" "), style: isInferred ? "inferred" : "observed" };
    });
}
