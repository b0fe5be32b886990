import { isObject, listOf, type PlainObject } from "../plain-values.ts";

/** The trajectories of sub-agents that stand in a trajectory itself. */
export function embeddedIn(trajectory: PlainObject): readonly PlainObject[] {
  return listOf(trajectory["subagent_trajectories"]).filter(isObject);
}

/** A trajectory and all that it embeds, each before its own. They may be thousands, one in the other: none waits on the stack. */
export function trajectoriesIn(trajectory: PlainObject): readonly PlainObject[] {
  const all: PlainObject[] = [];
  const waiting = [trajectory];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    all.push(one);
    for (const inner of embeddedIn(one).toReversed()) waiting.push(inner);
  }
  return all;
}
