import { context } from "@opentelemetry/api";
import {
  ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID,
  ATTR_THOUGHTFLOW_THOUGHT_NUMBER,
  ATTR_THOUGHTFLOW_THOUGHT_REVISES,
  ATTR_THOUGHTFLOW_THOUGHT_TYPE,
} from "@thoughtflow/semconv";
import { type Confidence, DEFAULT_THOUGHT_TYPE, type ThoughtType } from "@thoughtflow/thoughts";
import { optionCheck } from "./checks.ts";
import { type Dependency, dependencyList } from "./dependencies.ts";
import type { StepHandle, StepReference } from "./handles.ts";
import { openStep } from "./open-step.ts";
import { sessionThoughts } from "./session-thoughts.ts";
import { silentStep } from "./silence.ts";
import { activeTracer } from "./tracer.ts";

/** One unit of reasoning that the agent names and types. */
export interface ThoughtOptions {
  readonly thought: string;
  /** What later thoughts call it by; default `thought-<number>`. A used id becomes `<id>~2`. */
  readonly id?: string;
  /** Default `reasoning`. */
  readonly type?: ThoughtType;
  /** 0 to 1, or `high`, `medium`, `low`; kept as given. */
  readonly confidence?: Confidence;
  readonly verbosity?: string;
  readonly alternatives?: readonly string[];
  /** An earlier thought or tool call: an edge `related_to`. */
  readonly relatedTo?: string | StepReference;
  /** Default: the next on its track. */
  readonly number?: number;
  readonly totalThoughts?: number;
  /** The track beside the main one. */
  readonly branchId?: string;
  /** The number that the branch leaves from: an edge `branches_from`. */
  readonly branchFromThought?: number;
  /** The number of the thought that this one replaces: an edge `revises`. */
  readonly revisesThought?: number;
  /** The extra data of a type by its own name: `options`, `actionResult`, `beliefs`, `progressData` … */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly dependsOn?: Dependency | readonly Dependency[];
}

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
  if (activeTracer() === undefined) return { ...silentStep(options.id), number: 0 };
  const { branchId, branchFromThought, revisesThought } = options;
  const ledger = sessionThoughts(context.active());
  const { id, thoughtNumber: number } = ledger.place(options);
  const type = options.type ?? DEFAULT_THOUGHT_TYPE;
  const step = openStep({
    label: "thought",
    id,
    input: payloadOf(options, id, number, type),
    dependsOn: [
      ...dependencyList(options.dependsOn),
      ...edge("related_to", options.relatedTo),
      ...edge("revises", revisesThought && ledger.idOf(revisesThought, branchId)),
      ...edge("branches_from", branchFromThought && ledger.idOf(branchFromThought, undefined)),
    ],
    attributes: {
      [ATTR_THOUGHTFLOW_THOUGHT_NUMBER]: number,
      [ATTR_THOUGHTFLOW_THOUGHT_TYPE]: type,
      ...(branchId !== undefined && { [ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID]: branchId }),
      ...(revisesThought !== undefined && { [ATTR_THOUGHTFLOW_THOUGHT_REVISES]: revisesThought }),
    },
  });
  if (step === undefined) return { ...silentStep(id), number };
  step.endAtOnce(undefined);
  return { ...step.handle, number };
}

/** The fields under the names that think-aloud tools and Thoughtbox give them. */
function payloadOf(
  options: ThoughtOptions,
  id: string,
  number: number,
  type: string,
): Record<string, unknown> {
  const { relatedTo, revisesThought } = options;
  return {
    thought_id: id,
    thought: options.thought,
    thought_type: type,
    confidence: options.confidence,
    verbosity: options.verbosity,
    alternatives: options.alternatives,
    related_to: typeof relatedTo === "object" ? relatedTo.id : relatedTo,
    thoughtNumber: number,
    totalThoughts: options.totalThoughts,
    branchId: options.branchId,
    branchFromThought: options.branchFromThought,
    isRevision: revisesThought === undefined ? undefined : true,
    revisesThought,
    ...options.data,
  };
}

function edge(type: string, on: string | number | StepReference | undefined): Dependency[] {
  return typeof on === "string" || typeof on === "object" ? [{ on, type }] : [];
}
