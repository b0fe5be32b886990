import { agentIdOf, areOfTwoAgents } from "./agents.ts";
import { compareMoments, type SpanNode } from "./span-node.ts";
import { addEdge, type EdgeDraft, type RunDraft, type StepDraft } from "./step-draft.ts";

/** A tool that an agent ran inside of is not told what it gave back. */
const CONFIDENCE_INSIDE = 0.9;

const ASKED: ReadonlySet<string> = new Set(["subagent_spawn", "handoff"]);
const OUTPUTS: ReadonlySet<string> = new Set(["tool_output", "tool_error"]);
const ANSWERS: ReadonlySet<string> = new Set(["assistant_call", "assistant_message"]);
const DONE: ReadonlySet<string> = new Set([...OUTPUTS, ...ANSWERS, "tool_call"]);

/** A tool call by which one agent asked another. */
interface Asking {
  readonly tool: StepDraft;
  readonly agentId: string;
  /** Where the other one begins on it. */
  readonly begin: StepDraft;
  readonly sureness: Pick<EdgeDraft, "origin" | "confidence">;
}

/**
 * What a tool gives that asked another agent rests on what that agent came to before: its last answer, or output, since it was
 * asked. One that still works then, in the background, has handed nothing back.
 */
export function addHandedBack(drafts: readonly RunDraft[]): void {
  const askings: Asking[] = [];
  for (const { steps } of drafts) for (const step of steps) addAskings(step, askings);
  if (askings.length === 0) return;
  const { byAgent, outputs, working } = doings(drafts, new Set(askings.map((one) => one.agentId)));
  for (const { tool, agentId, begin, sureness } of askings) {
    const output = outputs.get(tool);
    const at = output?.started;
    if (output === undefined || at === undefined) continue;
    const last = lastBegunBefore(at, byAgent.get(agentId) ?? []);
    if (last === undefined || last.span.start < begin.span.start) continue;
    const isOver = last.ended !== undefined && last.ended <= at;
    const isResult = ANSWERS.has(last.label) ? !working.has(last.span) : OUTPUTS.has(last.label);
    if (isOver && isResult) addEdge(output, { to: last, type: "handoff", ...sureness });
  }
}

/** What the agents that were asked did, in order, what tools gave, and the calls that asked for tools: those are no answers. */
function doings(drafts: readonly RunDraft[], asked: ReadonlySet<string>) {
  const byAgent = new Map<string, StepDraft[]>();
  const outputs = new Map<StepDraft, StepDraft>();
  const working = new Set<SpanNode>();
  for (const { steps } of drafts) {
    for (const step of steps) {
      for (const { type, to } of step.edges) {
        if (typeof to === "string") continue;
        if (type === "returns") outputs.set(to, step);
        if (type === "requests") working.add(to.span);
      }
      const agentId = agentIdOf(step.span);
      if (agentId === undefined || !asked.has(agentId) || !DONE.has(step.label)) continue;
      const known = byAgent.get(agentId);
      if (known === undefined) byAgent.set(agentId, [step]);
      else known.push(step);
    }
  }
  for (const steps of byAgent.values()) steps.sort((a, b) => compareMoments(a.moment, b.moment));
  return { byAgent, outputs, working };
}

function addAskings(step: StepDraft, askings: Asking[]): void {
  const { edges, parent, label } = step;
  let isAsked = false;
  for (const { to, type, origin, confidence } of edges) {
    if (typeof to === "string" || !ASKED.has(type)) continue;
    isAsked = true;
    addAsking(step, to, { origin, ...(confidence !== undefined && { confidence }) }, askings);
  }
  if (isAsked || parent === undefined || label !== "agent") return;
  addAsking(step, parent, { origin: "inferred", confidence: CONFIDENCE_INSIDE }, askings);
}

function addAsking(
  begin: StepDraft,
  tool: StepDraft,
  sureness: Asking["sureness"],
  askings: Asking[],
): void {
  const agentId = agentIdOf(begin.span);
  if (agentId === undefined || tool.label !== "tool_call" || !areOfTwoAgents(begin, tool)) return;
  askings.push({ tool, agentId, begin, sureness });
}

/**
 * Of steps in their order. Below the millisecond, times of imports are places in a file, and say nothing of those in another.
 */
function lastBegunBefore(at: bigint, steps: readonly StepDraft[]): StepDraft | undefined {
  const millisecond = at - (at % 1_000_000n);
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const step = steps[middle];
    if (step !== undefined && step.span.start < millisecond) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1];
}
