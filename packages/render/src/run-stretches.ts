import type { Agent, Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { counted, formatCount } from "./figures.ts";
import { stepState } from "./step-state.ts";
import { stepName } from "./step-summary.ts";

/** Steps of a run that follow one another, or those of its sub-agents, as a picture shows them where not all can be in memory. */
export interface RunStretch {
  /** Of the first of them in the run, from 1; absent where they are those of sub-agents. */
  readonly from?: number;
  /** Whose they are. Default: of whatever agent. */
  readonly agent?: string;
  readonly steps: number;
  readonly modelCalls: number;
  readonly errors: number;
  /** How often each tool was called. */
  readonly tools: ReadonlyMap<string, number>;
  /** ISO 8601 in UTC; absent where no step tells a time. */
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
}

/** Takes the steps of a run in their order, and never holds more than a picture shows of them. */
export interface RunStretches {
  add(step: Step): void;
  readonly stretches: readonly RunStretch[];
}

/** No picture has more of one run. */
const MOST_STRETCHES = 40;
/** So many tools of a stretch are counted by their names. */
const MOST_TOOLS = 50;

/** All stretches but the last have as many steps: when there are too many, two become one. */
export function createRunStretches(): RunStretches {
  let stretches: RunStretch[] = [];
  let length = 1;
  let steps = 0;
  return {
    add(step) {
      const one = stretchOf(step, ++steps);
      const last = stretches.at(-1);
      if (last !== undefined && last.steps < length) {
        stretches[stretches.length - 1] = joined(last, one);
        return;
      }
      if (stretches.length === MOST_STRETCHES) {
        stretches = inPairs(stretches);
        length *= 2;
      }
      stretches.push(one);
    },
    get stretches() {
      return stretches;
    },
  };
}

function inPairs(stretches: readonly RunStretch[]): RunStretch[] {
  return stretches.flatMap((one, at) => {
    if (at % 2 === 1) return [];
    const next = stretches[at + 1];
    return [next === undefined ? one : joined(one, next)];
  });
}

function stretchOf(step: Step, from: number): RunStretch {
  const { label, started_at: startedAt, ended_at: endedAt = startedAt } = step;
  const isError = label !== "tool_error" && stepState(step) === "error";
  return {
    from,
    steps: 1,
    modelCalls: label === "assistant_call" ? 1 : 0,
    errors: isError ? 1 : 0,
    tools: new Map(label === "tool_call" ? [[stepName(step), 1]] : []),
    startedAt,
    endedAt,
  };
}

function joined(one: RunStretch, next: RunStretch): RunStretch {
  const tools = new Map(one.tools);
  for (const [name, count] of next.tools)
    if (tools.has(name) || tools.size < MOST_TOOLS) tools.set(name, (tools.get(name) ?? 0) + count);
  const starts = [one.startedAt, next.startedAt].filter((time) => time !== undefined);
  const ends = [one.endedAt, next.endedAt].filter((time) => time !== undefined);
  return {
    ...one,
    steps: one.steps + next.steps,
    modelCalls: one.modelCalls + next.modelCalls,
    errors: one.errors + next.errors,
    tools,
    startedAt: starts.toSorted()[0],
    endedAt: ends.toSorted().at(-1),
  };
}

/** So many tools are named. */
const NAMED_TOOLS = 3;

/** `steps 1 to 512`, `40 model calls · 2 errors · Bash ×31, Edit ×12 …`; of sub-agents `3 × Explore`, `41 steps · 9 model calls`. */
export function stretchLabel({
  from,
  agent = "",
  steps,
  modelCalls,
  errors,
  tools,
}: RunStretch): readonly [place: string, figures: string] {
  const most = [...tools].toSorted(([, a], [, b]) => b - a);
  const named = most.slice(0, NAMED_TOOLS).map(([name, count]) => `${name} ×${count}`);
  const figures = [
    from === undefined ? counted(steps, "step") : "",
    modelCalls === 0 ? "" : counted(modelCalls, "model call"),
    errors === 0 ? "" : counted(errors, "error"),
    named.join(", ") + (most.length > NAMED_TOOLS ? " …" : ""),
  ];
  return [
    from === undefined ? agent : placeOf(from, steps),
    figures.filter((figure) => figure !== "").join(" · "),
  ];
}

/** `steps 1 to 512 · 2 errors`. */
export function shortStretchLabel(stretch: RunStretch): string {
  const [place] = stretchLabel(stretch);
  return stretch.errors === 0 ? place : `${place} · ${counted(stretch.errors, "error")}`;
}

function placeOf(from: number, steps: number): string {
  const last = formatCount(from + steps - 1);
  return steps === 1 ? `step ${last}` : `steps ${formatCount(from)} to ${last}`;
}

/** No picture has more sub-agents, or names of them. */
const MOST_AGENTS = 40;

/** Sub-agents as their document tells what they did: each, or all of one name, and of very many none. */
export function agentStretches(agents: readonly Agent[]): readonly RunStretch[] {
  const asked = agents.filter(({ parent_agent_id: parent }) => parent !== undefined);
  const byName = new Map<string, Agent[]>();
  for (const agent of asked) {
    const name = asked.length <= MOST_AGENTS ? agent.agent_id : nameOf(agent);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [agent]);
    else same.push(agent);
  }
  if (byName.size > MOST_AGENTS) return [];
  return [...byName.values()].flatMap((group) => {
    const [first, ...others] = group.map(stretchOfAgent);
    const [named] = group;
    if (first === undefined || named === undefined) return [];
    const agent = others.length === 0 ? nameOf(named) : `${group.length} × ${nameOf(named)}`;
    return [{ ...others.reduce(joined, first), agent }];
  });
}

function nameOf({ agent_id: id, name = id }: Agent): string {
  return oneLine(name);
}

function stretchOfAgent({ totals, started_at, ended_at }: Agent): RunStretch {
  const { steps = 0, model_calls = 0, errors = 0 } = totals ?? {};
  return {
    steps,
    modelCalls: model_calls,
    errors,
    tools: new Map(),
    startedAt: started_at,
    endedAt: ended_at,
  };
}
