import type { AgentGraph, AgentLink } from "./agent-graph.ts";
import { snippet } from "./clean-text.ts";
import { counted } from "./figures.ts";
import type { LineStyle } from "./flow-graph.ts";
import type { StepKind } from "./step-kind.ts";

/** The kinds of steps that lend types of agents their colours, in the order in which types are met; for those that are left the last. */
export const agentKinds: readonly StepKind[] = [
  "model",
  "answer",
  "tool",
  "thought",
  "agent",
  "context",
  "user",
  "memory",
];

/** An agent as a box of a diagram. */
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

/** Agents as boxes, and arrows between them: no requests. */
export function agentBoxes({ agents, edges }: AgentGraph): {
  readonly boxes: readonly AgentBox[];
  readonly arrows: readonly AgentArrow[];
} {
  const types = [...new Set(agents.map(({ type }) => type))];
  const keys = new Map<string, string>();
  const boxes = agents.map(({ id, name, type, requests }, at): AgentBox => {
    const key = `a${at + 1}`;
    for (const request of requests) keys.set(request.id, key);
    const errors = requests.filter(({ isError }) => isError).length;
    const figures = [counted(requests.length, "request")];
    if (errors > 0) figures.push(counted(errors, "error"));
    const kind = agentKinds[Math.min(types.indexOf(type), agentKinds.length - 1)] ?? "other";
    return { key, id, kind, lines: [snippet(name || id, 60), figures.join(" · ")] };
  });
  const links = new Map<
    string,
    { readonly link: AgentLink; from: string; to: string; count: number }
  >();
  for (const link of edges) {
    const [from, to] = [keys.get(link.source), keys.get(link.target)];
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from} ${to} ${link.type} ${link.confidence}`;
    const known = links.get(key);
    if (known === undefined) links.set(key, { link, from, to, count: 1 });
    else known.count++;
  }
  const arrows = [...links.values()].map(({ link: { type, confidence }, from, to, count }) => {
    const words = [type.replaceAll("_", " ")];
    if (confidence < 1) words.push(confidence.toFixed(2));
    if (count > 1) words.push(`×${count}`);
    const style: LineStyle = confidence < 1 ? "inferred" : "observed";
    return { from, to, words: words.join(" "), style };
  });
  return { boxes, arrows };
}
