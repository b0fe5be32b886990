import type { RequestNode } from "./workflow-document.ts";

/** The last request of an agent that began no later than another one, by times, and by their order where there are none; else its first. */
export type LatestRequest = (agentId: string, id: string) => string | undefined;

/** An agent's requests in their order. */
interface Requests {
  readonly all: number[];
  /** Of those the ones with times, and the earliest time from each of them on: the last that is early enough is found in it. */
  readonly timed: number[];
  earliest: readonly string[];
  readonly untimed: number[];
}

/** @param nodes Each is known by its place among them. */
export function createLatestRequests(nodes: readonly RequestNode[]): LatestRequest {
  let places: ReadonlyMap<string, number> | undefined;
  let byAgent: ReadonlyMap<string, Requests> | undefined;
  return (agentId, id) => {
    places ??= new Map(nodes.map((node, place) => [node.id, place]));
    byAgent ??= requestsByAgent(nodes);
    const own = byAgent.get(agentId);
    if (own === undefined) return undefined;
    const place = places.get(id) ?? 0;
    const time = nodes[place]?.timestamp;
    const inOrder = time === undefined ? own.all : own.untimed;
    const early = inOrder[countOf(inOrder, (one) => one < place) - 1] ?? -1;
    const timed =
      time === undefined ? -1 : (own.timed[countOf(own.earliest, (one) => one <= time) - 1] ?? -1);
    const found = Math.max(early, timed);
    return nodes[found < 0 ? (own.all[0] ?? -1) : found]?.id;
  };
}

function requestsByAgent(nodes: readonly RequestNode[]): ReadonlyMap<string, Requests> {
  const byAgent = new Map<string, Requests>();
  for (const [place, { agent_id: id, timestamp }] of nodes.entries()) {
    const own = byAgent.get(id) ?? { all: [], timed: [], earliest: [], untimed: [] };
    byAgent.set(id, own);
    own.all.push(place);
    (timestamp === undefined ? own.untimed : own.timed).push(place);
  }
  for (const own of byAgent.values())
    own.earliest = earliestFromOn(own.timed.map((place) => nodes[place]?.timestamp ?? ""));
  return byAgent;
}

function earliestFromOn(times: readonly string[]): readonly string[] {
  const earliest = [...times];
  for (let at = times.length - 2; at >= 0; at--) {
    const [own = "", next = ""] = [earliest[at], earliest[at + 1]];
    if (next < own) earliest[at] = next;
  }
  return earliest;
}

/** How many at the beginning of a list are so, where none behind them is. */
function countOf<T>(list: readonly T[], isSo: (one: T) => boolean): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isSo(list[middle] as T)) from = middle + 1;
    else to = middle;
  }
  return from;
}
