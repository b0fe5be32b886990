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
  const askings = drafts.flatMap(({ steps }) => steps.flatMap(askingsOf));
  if (askings.length === 0) return;
  const asked = new Set(askings.map(({ agentId }) => agentId));
  const byAgent = new Map<string, StepDraft[]>();
  const outputs = new Map<StepDraft, StepDraft>();
  /** Of calls that asked for tools: they are not what an agent came to. */
  const working = new Set<SpanNode>();
  for (const step of drafts.flatMap(({ steps }) => steps)) {
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
  for (const steps of byAgent.values()) steps.sort((a, b) => compareMoments(a.moment, b.moment));
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

function askingsOf(step: StepDraft): readonly Asking[] {
  const { edges, parent } = step;
  const askings: Asking[] = [];
  for (const { to, type, origin, confidence } of edges) {
    if (typeof to === "string" || !ASKED.has(type)) continue;
    const sureness = { origin, ...(confidence !== undefined && { confidence }) };
    askings.push(...askingOf(step, to, sureness));
  }
  if (askings.length > 0 || parent === undefined || step.label !== "agent") return askings;
  return askingOf(step, parent, { origin: "inferred", confidence: CONFIDENCE_INSIDE });
}

function askingOf(
  begin: StepDraft,
  tool: StepDraft,
  sureness: Asking["sureness"],
): readonly Asking[] {
  const agentId = agentIdOf(begin.span);
  if (tool.label !== "tool_call" || agentId === undefined || !areOfTwoAgents(begin, tool))
    return [];
  return [{ tool, agentId, begin, sureness }];
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
