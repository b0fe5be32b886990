import type { Context } from "@opentelemetry/api";
import { context } from "@opentelemetry/api";
import { ATTR_GEN_AI_TOOL_CALL_ID } from "@thoughtflow/semconv";
import {
  DEFAULT_THOUGHT_TYPE,
  type PlacedThought,
  type ThoughtLedger,
  thoughtAttributes,
} from "@thoughtflow/thoughts";
import { attempt } from "./attempt.ts";
import { optionCheck } from "./checks.ts";
import { knownFrom, placeOf, sessionAttributes } from "./claimed-place.ts";
import { dependencyList } from "./dependencies.ts";
import type { DependencyTarget } from "./dependency.ts";
import { runOf } from "./flow-context.ts";
import type { StepHandle } from "./handles.ts";
import { openStep } from "./open-step.ts";
import { sessionThoughts } from "./session-thoughts.ts";
import { silentStep } from "./silence.ts";
import { tellOfThought, thoughtClaimOf } from "./thought-claim.ts";
import type { ThoughtOptions } from "./thought-options.ts";
import {
  isAnybodyListening,
  publishThought,
  type ThoughtSource,
  thoughtEvent,
} from "./thought-stream.ts";
import { noteExecution, requestOfId } from "./tool-requests.ts";
import { activeTracer } from "./tracer.ts";

/** A thought as it was recorded; `id` is what to give back to the model. */
export interface ThoughtHandle extends StepHandle {
  /** 0 where nothing is traced. */
  readonly number: number;
}

const checkThought = optionCheck(
  "recordThought",
  {
    thought: "string",
    id: "id",
    type: "id",
    confidence: "confidence",
    verbosity: "string",
    alternatives: "strings",
    relatedTo: "dependency",
    number: "number",
    totalThoughts: "number",
    branchId: "id",
    branchFromThought: "number",
    revisesThought: "number",
    mergesBranches: "strings",
    resolution: "id",
    selectedBranch: "id",
    tags: "strings",
    data: "object",
    dependsOn: "dependencies",
  },
  ["thought"],
);

/**
 * Records a thought. Outside any run it gets a run of its own. What was recorded never changes: a thought that
 * was wrong is followed by one that revises it.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function recordThought(options: ThoughtOptions): ThoughtHandle {
  checkThought(options);
  if (activeTracer() === undefined && !isAnybodyListening())
    return { ...silentStep(options.id), number: 0 };
  const recorded = attempt(() => recordThoughtFrom(options, { source: "program" }));
  return recorded?.handle ?? { ...silentStep(options.id), number: 0 };
}

/** Where a thought comes from. */
export interface ThoughtOrigin {
  readonly source: ThoughtSource;
  /** The tool call by which a model gave it. */
  readonly callId?: string | undefined;
}

/** A thought, and what its thinker should be told. */
export interface RecordedThought {
  readonly handle: ThoughtHandle;
  /** The given id was used before. */
  readonly isRenamed: boolean;
  /** What it is about leads back to it. */
  readonly isCyclic: boolean;
  /** Nobody knows what it is about. */
  readonly isDangling: boolean;
  /** The ids of the latest thoughts before it, latest first. */
  readonly earlier: readonly string[];
}

const EARLIER = 8;

/**
 * Records a thought of a model. Outside of any span it joins the run of the model call that gave it; without a provider it
 * still gets its id and number, and listeners hear of it.
 */
export function recordThoughtFrom(
  options: ThoughtOptions,
  { source, callId: given }: ThoughtOrigin,
): RecordedThought {
  const active = context.active();
  const found = given === undefined ? thoughtClaimOf(active) : requestOfId(given, active);
  // A tool's own span that is open around this stands for the call.
  const claim = found?.request.execution === undefined ? found : undefined;
  const callId = given ?? claim?.request.callId;
  const outside = placeOf(claim);
  const sessionId = claim?.request.call.sessionId;
  const ledger = sessionThoughts(outside, sessionId);
  const about = relationOf(options.relatedTo, ledger, active);
  const earlier = ledger.latest(EARLIER);
  const { relatedTo: _, ...place } = options;
  const placed = ledger.place({ ...place, ...(about && { relatedTo: about.name }) });
  const { id, thoughtNumber: number, relations, isRenamed, isCyclic } = placed;
  const step = openStep(
    {
      label: "thought",
      id,
      input: payloadOf(options, placed, callId),
      dependsOn: [
        ...dependencyList(options.dependsOn),
        ...(about === undefined || isCyclic ? [] : [{ on: about.target, type: "related_to" }]),
        ...relations.map(({ to, type }) => ({ on: to, type })),
      ],
      attributes: {
        ...thoughtAttributes({ ...options, thoughtNumber: number }),
        ...(callId !== undefined && { [ATTR_GEN_AI_TOOL_CALL_ID]: callId }),
        ...sessionAttributes(claim, outside),
      },
    },
    { outside, known: claim && knownFrom(claim) },
  );
  step?.endAtOnce(undefined);
  const handle = { ...(step?.handle ?? silentStep(id)), number };
  if (claim !== undefined && step !== undefined) noteExecution(claim.request, handle, id);
  if (step !== undefined) tellOfThought(active);
  publishThought(() =>
    thoughtEvent(options, {
      thoughtId: id,
      contextId: handle.sessionId ?? sessionId,
      taskId: handle.runId ?? handle.spanContext?.traceId,
      source,
      callId,
    }),
  );
  const isDangling = about !== undefined && !about.isKnown;
  return { handle, isRenamed, isCyclic, isDangling, earlier };
}

interface ThoughtRelationTarget {
  readonly target: DependencyTarget;
  readonly name: string;
  readonly isKnown: boolean;
}

/** What a thought is about: a step of the program, an earlier thought, or a tool call by its id. */
function relationOf(
  relatedTo: ThoughtOptions["relatedTo"],
  ledger: ThoughtLedger,
  active: Context,
): ThoughtRelationTarget | undefined {
  if (relatedTo === undefined) return undefined;
  if (typeof relatedTo === "object")
    return { target: relatedTo, name: relatedTo.id, isKnown: true };
  const name = relatedTo;
  if (ledger.has(name)) return { target: name, name, isKnown: true };
  if (runOf(active)?.named.has(name)) return { target: name, name, isKnown: true };
  const request = requestOfId(name, active)?.request;
  const execution = request?.execution;
  if (execution !== undefined) return { target: execution, name, isKnown: true };
  return { target: request?.stepId ?? name, name, isKnown: request !== undefined };
}

/** The fields under the names that think-aloud tools and Thoughtbox give them. */
function payloadOf(
  options: ThoughtOptions,
  { id, thoughtNumber }: PlacedThought,
  callId: string | undefined,
): Record<string, unknown> {
  const { relatedTo, revisesThought } = options;
  return {
    thought_id: id,
    thought: options.thought,
    thought_type: options.type ?? DEFAULT_THOUGHT_TYPE,
    confidence: options.confidence,
    verbosity: options.verbosity,
    alternatives: options.alternatives,
    related_to: typeof relatedTo === "object" ? relatedTo.id : relatedTo,
    thoughtNumber,
    totalThoughts: options.totalThoughts,
    branchId: options.branchId,
    branchFromThought: options.branchFromThought,
    isRevision: revisesThought === undefined ? undefined : true,
    revisesThought,
    mergesBranches: options.mergesBranches,
    resolution: options.resolution,
    selectedBranch: options.selectedBranch,
    tags: options.tags,
    call_id: callId,
    ...options.data,
  };
}
