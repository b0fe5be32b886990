import { isOwnSpan } from "@thoughtflow/dialects/spans";
import { ATTR_GEN_AI_RESPONSE_FINISH_REASONS } from "@thoughtflow/semconv";
import { dependsOn } from "./depends-on.ts";
import { compareMoments, listAttribute } from "./span-node.ts";
import { addEdge, type StepDraft } from "./step-draft.ts";

/** By what happens in one agent's loop: a model that ends for tools is called again with what they gave. */
const INFERRED = { origin: "inferred", confidence: 0.8, evidence: "order in the loop" } as const;

/** How APIs say that an answer ended so that tools are run. */
const FOR_TOOLS = /^(?:tool[_-]?(?:calls?|use)|function[_-]call)$/i;

/** What rests on messages that a call was given. */
const OF_MESSAGES: ReadonlySet<string> = new Set(["reads", "responds_to"]);

/**
 * Joins tools to the call that they ran for, and what they gave to the call after it, where no message is told: by default
 * most instrumentations leave them out. Of what runs in the same step, where no two calls that may have asked for tools run at once:
 * one call that ended for tools, then the tools, then the next call.
 *
 * @param told the calls of which messages tell what they asked for
 * @param outputs of tools, as their own spans tell them
 */
export function joinUntoldRequests(
  recorded: readonly StepDraft[],
  told: ReadonlySet<StepDraft>,
  outputs: ReadonlyMap<StepDraft, StepDraft>,
): void {
  if (!recorded.some(isUnasked)) return;
  const loops = new Map<StepDraft | StepDraft["run"], StepDraft[]>();
  for (const step of recorded) {
    if (step.label !== "assistant_call" && !isUnasked(step)) continue;
    const loop = step.parent ?? step.run;
    const steps = loops.get(loop);
    if (steps === undefined) loops.set(loop, [step]);
    else steps.push(step);
  }
  for (const steps of loops.values())
    if (steps.some(isUnasked) && !steps.some(isDeclared)) joinLoop(steps, told, outputs);
}

function joinLoop(
  steps: readonly StepDraft[],
  told: ReadonlySet<StepDraft>,
  outputs: ReadonlyMap<StepDraft, StepDraft>,
): void {
  const inOrder = steps.toSorted((a, b) => compareMoments(a.moment, b.moment));
  const calls = inOrder.filter(({ label }) => label === "assistant_call");
  // Several loops side by side: nobody knows for which of them a tool ran.
  if (sideBySide(calls.filter(mayAsk)).size > 0) return;
  const beside = sideBySide(calls);
  let latest: StepDraft | undefined;
  let ran: StepDraft[] = [];
  for (const step of inOrder) {
    const isBeside = beside.has(step);
    if (step.label === "tool_call") {
      if (latest === undefined || !isAfter(step, latest)) continue;
      if (told.has(latest) || !endedForTools(latest)) continue;
      addEdge(step, { to: latest, type: "requests", ...INFERRED });
      ran.push(step);
    } else if (!isBeside || mayAsk(step)) {
      if (!isBeside && !step.edges.some(({ type }) => OF_MESSAGES.has(type)))
        for (const tool of ran)
          if (isAfter(step, tool))
            addEdge(step, { to: outputs.get(tool) ?? tool, type: "reads", ...INFERRED });
      latest = step;
      ran = [];
    }
  }
}

/** The calls, of these in order, that were under way together with another. */
function sideBySide(calls: readonly StepDraft[]): ReadonlySet<StepDraft> {
  const found = new Set<StepDraft>();
  let [last] = calls;
  for (const call of calls.slice(1)) {
    if (last === undefined || isAfter(call, last)) last = call;
    else {
      found.add(last).add(call);
      if (last.ended !== undefined && (call.ended === undefined || call.ended > last.ended))
        last = call;
    }
  }
  return found;
}

function isUnasked({ label, span, edges }: StepDraft): boolean {
  if (label !== "tool_call" || isOwnSpan(span.record)) return false;
  return !edges.some(({ type }) => type === "requests");
}

/** Who says what one step rests on says so of the others, too. */
function isDeclared({ span }: StepDraft): boolean {
  return dependsOn(span.record).length > 0;
}

function isAfter(step: StepDraft, before: StepDraft): boolean {
  return before.ended !== undefined && step.started !== undefined && before.ended <= step.started;
}

/** Some don't tell why an answer ended. */
function mayAsk(call: StepDraft): boolean {
  return reasonsOf(call).length === 0 || endedForTools(call);
}

function endedForTools(call: StepDraft): boolean {
  return reasonsOf(call).some((reason) => FOR_TOOLS.test(reason));
}

function reasonsOf({ span }: StepDraft): readonly string[] {
  return listAttribute(span.record, ATTR_GEN_AI_RESPONSE_FINISH_REASONS);
}
