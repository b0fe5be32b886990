import { isThinkAloud, readThinkAloud, THINK_ALOUD_TYPES } from "@thoughtflow/thoughts";
import { type RecordedThought, recordThoughtFrom } from "@thoughtflow/tracing/internal";
import { budgetOfTrace } from "./budget-of-trace.ts";
import type { ThoughtBudget } from "./thought-budget.ts";
import { toolCallOf } from "./tool-call-of.ts";

/** How a call of the tool is taken. */
export interface ThinkAloudOptions {
  /** The turn's budget. Default: 10 thoughts a trace where something is traced. `false`: none. */
  readonly budget?: ThoughtBudget | false;
  /** The kinds of thought that the tool was offered with. Others are kept, and told. Default: `THINK_ALOUD_TYPES`, from `planning` to `critique`. */
  readonly allowedTypes?: readonly string[];
}

/** What to give back to the model, as JSON. */
export interface ThinkAloudResult {
  readonly acknowledged: true;
  /** By this the model can refer to the thought. */
  readonly thoughtId: string;
  readonly message: string;
  /** What the model should do otherwise; the thought is kept all the same. */
  readonly error?: string;
}

/** Whether a tool call is one of ours, in the words of any API. */
export function isThinkAloudCall(call: unknown): boolean {
  const { name } = toolCallOf(call);
  return name !== undefined && isThinkAloud(name);
}

/**
 * Executes a call of the tool: the thought becomes a step, and the model gets its id. Takes the tool call as the SDK gives it,
 * which joins the thought to the call that asked, or its arguments alone. Whatever a model gives is kept; what is wrong
 * with it is told in `error`. Never throws.
 */
export function executeThinkAloud(
  call: unknown,
  options: ThinkAloudOptions = {},
): ThinkAloudResult {
  const { allowedTypes = THINK_ALOUD_TYPES } = options;
  const { args, callId } = toolCallOf(call);
  const { thought, problems } = readThinkAloud(args, allowedTypes);
  const recorded = recordThoughtFrom(thought, { source: "tool-call", callId });
  const { id, spanContext } = recorded.handle;
  const budget = options.budget ?? budgetOfTrace(spanContext?.traceId);
  const warning = budget === false ? undefined : budget?.spend(thought.thought);
  const error = [
    ...problems,
    ...relationProblems(recorded, thought.id, thought.relatedTo),
    ...(warning === undefined ? [] : [warning]),
  ].join(" ");
  return {
    acknowledged: true,
    thoughtId: id,
    message: `Thought recorded with ID: ${id}`,
    ...(error !== "" && { error }),
  };
}

function relationProblems(
  { handle, isRenamed, isCyclic, isDangling, earlier }: RecordedThought,
  given: string | undefined,
  relatedTo: string | undefined,
): readonly string[] {
  const known =
    earlier.length === 0 ? "There is no earlier thought." : `Earlier: ${earlier.join(", ")}.`;
  return [
    ...(isRenamed
      ? [
          `thought_id "${given}" was used before: this thought is "${handle.id}". Give each a name of its own.`,
        ]
      : []),
    ...(isCyclic
      ? [
          `related_to "${relatedTo}" leads back to this thought; it is kept without. Name an earlier one. ${known}`,
        ]
      : []),
    ...(isDangling && !isCyclic
      ? [`related_to "${relatedTo}" is no earlier thought and no tool call. ${known}`]
      : []),
  ];
}
