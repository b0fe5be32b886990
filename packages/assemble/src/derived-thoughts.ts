import { type GenAiMessage, isReasoningPart, isTextPart } from "@thoughtflow/semconv";
import {
  argumentsOfTag,
  createThoughtLedger,
  readThinkAloud,
  thinkingTagsIn,
} from "@thoughtflow/thoughts";
import type { EarlierRuns } from "./earlier-runs.ts";
import { createFreeIds, type FreeIds } from "./free-ids.ts";
import { NotSeparableError } from "./not-separable-error.ts";
import { membersOf, mergedPayload } from "./payload.ts";
import { compareMoments } from "./span-node.ts";
import { addAlias, addEdge, createDraft, type RunDraft, type StepDraft } from "./step-draft.ts";
import type { StepNames } from "./step-names.ts";

/** A call of the tool as a model made it. */
interface AloudCall {
  /** What a tool call would be called there. */
  readonly id: string;
  /** Absent where content did not travel. */
  readonly args: unknown;
  readonly callId: string | undefined;
  readonly moment: StepDraft["moment"];
  readonly more: Partial<StepDraft>;
}

/** The thoughts of a session that no span recorded: said by the tool, written into the answer, or reasoned before it. */
export interface ThoughtSteps {
  /** A call of `think_aloud`. */
  aloud(call: StepDraft, said: AloudCall): StepDraft;
  /** What the tool answered: the id by which the model knows the thought, and what it was told. */
  answered(thought: StepDraft, result: unknown): void;
  /** Reasoning, and thoughts in tags. */
  written(call: StepDraft, output: readonly GenAiMessage[]): void;
  /** Gives the derived thoughts their ids and numbers, after the recorded ones; each follows the one before it. */
  settle(recorded: readonly StepDraft[], earlier?: EarlierRuns): void;
}

/** The thoughts of one session, none yet. */
export function createThoughtSteps(): ThoughtSteps {
  const derived: StepDraft[] = [];
  const given = new Map<StepDraft, string>();

  function add(
    call: StepDraft,
    id: string,
    moment: StepDraft["moment"],
    payload: Record<string, unknown>,
    more: Partial<StepDraft>,
  ): StepDraft {
    const { run, span, parent } = call;
    const step = createDraft(
      { run, id: `thought_${id}`, label: "thought", origin: "derived", span, moment },
      { parent, payloadStarted: payload, ...more },
    );
    const name = payload["thought_id"];
    if (typeof name === "string") given.set(step, name);
    derived.push(step);
    return step;
  }

  function addWritten(
    call: StepDraft,
    n: number,
    source: "reasoning" | "content",
    payload: Record<string, unknown>,
  ): void {
    const { ended, moment } = call;
    const step = add(
      call,
      `${call.id}.r${n}`,
      // After the call itself, before what it asks for and answers.
      { ...moment, rank: 1 - 1 / (n + 1) },
      { ...payload, source },
      { started: ended, ended, status: "ok" },
    );
    addEdge(step, { to: call, type: "returns", origin: "observed" });
  }

  return {
    aloud(call, { id, args, callId, moment, more }) {
      const payload = {
        ...(args !== undefined && payloadOf(args)),
        ...(callId && { call_id: callId }),
      };
      const step = add(call, id, moment, payload, { callId, ...more });
      addAlias(step, id);
      return step;
    },

    answered(thought, result) {
      if (result !== undefined) thought.payloadCompleted ??= { result };
      if (thought.origin === "recorded") return;
      const id = (result as { readonly thoughtId?: unknown } | null | undefined)?.thoughtId;
      if (typeof id === "string" && id !== "") given.set(thought, id);
    },

    written(call, output) {
      let n = 0;
      for (const { parts } of output) {
        const reasoning = parts.filter(isReasoningPart).map(({ content }) => content);
        const text = reasoning.join("\n").trim();
        if (text !== "") addWritten(call, ++n, "reasoning", payloadOf({ thought: text }));
        for (const part of parts) {
          if (!isTextPart(part)) continue;
          for (const tagged of thinkingTagsIn(part.content))
            addWritten(call, ++n, "content", payloadOf(argumentsOfTag(tagged)));
        }
      }
    },

    settle(recorded, earlier) {
      if (derived.length === 0) return;
      const known = recorded.filter(({ label }) => label === "thought");
      if (earlier !== undefined && (known.length > 0 || given.size > 0))
        throw new NotSeparableError("thoughts have numbers or names of their own");
      const ledger = earlier?.thoughts ?? createThoughtLedger();
      for (const step of known) ledger.place({ id: step.id, ...placeOf(step) });
      const idsOf = new Map<RunDraft, FreeIds>();
      for (const step of derived.toSorted(inOrder)) {
        const name = given.get(step);
        if (name !== undefined) rename(step, name, idsOf);
        if (step.run.isEarlier) continue;
        const { thoughtNumber } = ledger.place({ id: step.id, ...placeOf(step) });
        const own = { thought_id: step.id, thoughtNumber };
        step.payloadStarted = mergedPayload(step.payloadStarted, own);
      }
      // Edges are found by the ids of their targets, which have changed.
      if (given.size > 0)
        for (const run of new Set([...recorded, ...derived].map((step) => step.run)))
          for (const step of run.steps) step.places = undefined;
      // Of earlier thoughts only the last of the last run is gone on from.
      const isKnown = (step: StepDraft) =>
        !step.run.isEarlier || earlier?.isLastThought(step) === true;
      follow([...known, ...derived].filter(isKnown));
    },
  };
}

/** Ties the derived thoughts to what their models said that they are about; only what was there before them counts. */
export function addThoughtRelations(
  runs: readonly RunDraft[],
  names: StepNames,
  earlier?: EarlierRuns,
): void {
  for (const run of runs) {
    for (const step of run.steps) {
      if (step.label !== "thought" || step.origin !== "derived") continue;
      const name = membersOf(step.payloadStarted)?.["related_to"];
      if (typeof name !== "string" || name === "") continue;
      if (earlier !== undefined)
        throw new NotSeparableError("a thought may be about one of any other run");
      const to = names.resolve(name, run) ?? name;
      if (typeof to === "object" && compareMoments(to.moment, step.moment) >= 0) continue;
      addEdge(step, { to, type: "related_to", origin: "observed", evidence: name });
    }
  }
}

/** The thought's fields, under the names of the document. */
function payloadOf(args: unknown): Record<string, unknown> {
  const { id, thought, type, relatedTo, data, ...rest } = readThinkAloud(args).thought;
  return {
    ...(id !== undefined && { thought_id: id }),
    thought,
    thought_type: type,
    ...(relatedTo !== undefined && { related_to: relatedTo }),
    ...rest,
    ...data,
  };
}

function placeOf({ payloadStarted: payload }: StepDraft): {
  number?: number;
  branchId?: string;
} {
  const { thoughtNumber: number, branchId } = membersOf(payload) ?? {};
  return {
    ...(typeof number === "number" && { number }),
    ...(typeof branchId === "string" && branchId !== "" && { branchId }),
  };
}

/** A name that the run has already is told apart by the span. */
function rename(step: StepDraft, name: string, idsOf: Map<RunDraft, FreeIds>): void {
  const { run } = step;
  const ids = idsOf.get(run) ?? createFreeIds(run.steps.map(({ id }) => id));
  idsOf.set(run, ids);
  addAlias(step, step.id);
  step.id = ids.take(name, step.span.record.spanId);
}

/** Run by run, so that those of runs at the same time don't mix. */
function inOrder(a: StepDraft, b: StepDraft): number {
  if (a.run === b.run) return compareMoments(a.moment, b.moment);
  return compareMoments(a.run.spans.moment, b.run.spans.moment);
}

/**
 * What was derived follows the thought before it on its track in its run, the first one there the last one of the run before, if
 * that was over by then; what was recorded says so itself.
 */
function follow(thoughts: readonly StepDraft[]): void {
  const last = new Map<string | undefined, StepDraft>();
  for (const step of thoughts.toSorted(inOrder)) {
    const { branchId } = placeOf(step);
    const before = last.get(branchId);
    const isBefore = before !== undefined && compareMoments(before.moment, step.moment) < 0;
    if (step.origin === "derived" && isBefore)
      addEdge(step, { to: before, type: "follows", origin: "observed" });
    last.set(branchId, step);
  }
}
