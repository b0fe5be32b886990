import type { AgentGraph } from "./agent-graph.ts";
import type { Place } from "./gantt-arrows.ts";
import type { TimeSpan } from "./step-times.ts";

type Agent = AgentGraph["agents"][number];

/** From one pixel to another. */
interface Stretch {
  readonly left: number;
  right: number;
}

/** A shorter line is not seen, in pixels: of tools, and of what has fewer than one dot. */
const leastTools = 1;
const leastPause = 6;

/** When at least one of an agent's tools was at work, in pixels. */
export function toolStretches(
  { requests }: Agent,
  at: (moment: number) => number,
): readonly Stretch[] {
  const spans = requests.flatMap(({ tools }) => tools.flatMap(timesOf));
  const stretches: Stretch[] = [];
  for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
    const [left, right] = [at(start), at(end)];
    const last = stretches.at(-1);
    if (last !== undefined && left <= last.right + 0.5) last.right = Math.max(last.right, right);
    else stretches.push({ left, right });
  }
  return stretches;
}

/** When a tool was at work, where that is known. */
export function timesOf(tool: Agent["requests"][number]["tools"][number]): readonly TimeSpan[] {
  return tool.span === undefined ? [] : [tool.span];
}

/** Which lines are seen beside an agent's bars: its tools' where no bar covers them, and those between its requests where neither does. */
export function linesSeen(
  agent: Agent,
  places: ReadonlyMap<string, Place>,
  toolsAt: ((moment: number) => number) | undefined,
): { readonly tools: boolean; readonly pauses: boolean } {
  const bars = agent.requests
    .flatMap(({ id }) => places.get(id) ?? [])
    .sort((one, other) => one.left - other.left);
  const stretches = toolsAt === undefined ? [] : toolStretches(agent, toolsAt);
  const seen = { tools: false, pauses: false };
  let next = 0;
  let from = -Infinity;
  const take = (to: number): void => {
    while ((stretches[next]?.right ?? Infinity) <= from) next++;
    let covered = 0;
    for (let at = next; (stretches[at]?.left ?? Infinity) < to; at++) {
      const { left, right } = stretches[at] ?? { left: to, right: to };
      covered += Math.min(right, to) - Math.max(left, from);
    }
    if (covered > leastTools) seen.tools = true;
    if (Number.isFinite(to - from) && to - from - covered > leastPause) seen.pauses = true;
  };
  for (const { left, right } of bars) {
    if (left > from) take(left);
    from = Math.max(from, right);
  }
  take(Infinity);
  return seen;
}
