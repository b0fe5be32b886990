import { isObject, listOf, membersOf, type PlainObject, textOf, timeOf } from "../plain-values.ts";

/** The steps of a trajectory in the order in which they were made. */
export function plainSteps({ steps }: PlainObject): readonly PlainObject[] {
  const told = listOf(steps).filter(isObject);
  return told.some(isOfSideChain) ? withAgentIds(inTimeOrder(told)) : told;
}

/** The sub-agent whose step stands among those of the main agent, as Harbor writes what Claude Code did. */
export function flattenedIn(step: PlainObject): string | undefined {
  return isOfSideChain(step) ? textOf(membersOf(step["extra"])["agent_id"]) : undefined;
}

/** What no model said. */
export function isNoCall({ source, llm_call_count: count }: PlainObject): boolean {
  return source !== "agent" || count === 0;
}

function isOfSideChain({ extra }: PlainObject): boolean {
  return membersOf(extra)["is_sidechain"] === true;
}

/** Harbor puts what sub-agents did before all that the main agent did; what has no time stays behind what it follows. */
function inTimeOrder(steps: readonly PlainObject[]): readonly PlainObject[] {
  let last = 0;
  return steps
    .map((step) => {
      last = timeOf(step["timestamp"]) ?? last;
      return { step, ms: last };
    })
    .toSorted((one, other) => one.ms - other.ms)
    .map(({ step }) => step);
}

/** Where nothing names the sub-agent, it is the one that was told something last. */
function withAgentIds(steps: readonly PlainObject[]): readonly PlainObject[] {
  let nth = 0;
  return steps.map((step) => {
    if (!isOfSideChain(step) || flattenedIn(step) !== undefined) return step;
    if (step["source"] === "user" || nth === 0) nth++;
    return { ...step, extra: { ...membersOf(step["extra"]), agent_id: `sidechain-${nth}` } };
  });
}

/** A step whose calls all have ids: one without has that of its place. */
export function withCallIds(step: PlainObject, place: string): PlainObject {
  const calls = listOf(step["tool_calls"]);
  if (calls.every((call) => textOf(membersOf(call)["tool_call_id"]) !== undefined)) return step;
  return {
    ...step,
    tool_calls: calls.map((call, nth) => {
      const told = membersOf(call);
      return { ...told, tool_call_id: textOf(told["tool_call_id"]) ?? `${place}-${nth}` };
    }),
  };
}
