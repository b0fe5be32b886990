import { z } from "zod";

const ThoughtNumber = z.number().int().positive();
const Level = z.enum(["high", "medium", "low"]);

const common = {
  thought: z.string(),
  thought_id: z.string().min(1).optional(),
  related_to: z.string().min(1).optional(),
  confidence: z
    .union([z.number().min(0).max(1), Level], {
      error: "must be a number from 0 to 1, or high, medium or low",
    })
    .optional(),
  verbosity: z.string().optional(),
  alternatives: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  thoughtNumber: ThoughtNumber.optional(),
  totalThoughts: ThoughtNumber.optional(),
  branchId: z.string().min(1).optional(),
  branchFromThought: ThoughtNumber.optional(),
  isRevision: z.boolean().optional(),
  revisesThought: ThoughtNumber.optional(),
  mergesBranches: z.array(z.string().min(1)).optional(),
  resolution: z.enum(["selected", "synthesized", "abandoned"]).optional(),
  selectedBranch: z.string().min(1).optional(),
};

/** General analysis; it has no fields of its own. */
export const Reasoning = z.looseObject({ ...common, thought_type: z.literal("reasoning") });

/** A choice between options, of which exactly one is selected. */
export const DecisionFrame = z.looseObject({
  ...common,
  thought_type: z.literal("decision_frame"),
  confidence: common.confidence.unwrap(),
  options: z
    .array(
      z.looseObject({
        label: z.string(),
        selected: z.boolean().optional(),
        reason: z.string().optional(),
      }),
    )
    .min(1)
    .refine((options) => options.filter(({ selected }) => selected === true).length === 1, {
      message: "exactly one option must be selected",
    }),
});

/** What was done and what happened. */
export const ActionReport = z.looseObject({
  ...common,
  thought_type: z.literal("action_report"),
  actionResult: z.looseObject({
    success: z.boolean(),
    reversible: z.enum(["yes", "no", "partial"]),
    tool: z.string(),
    target: z.string(),
    sideEffects: z.array(z.string()).optional(),
  }),
});

/** What is believed now, for later comparison. */
export const BeliefSnapshot = z.looseObject({
  ...common,
  thought_type: z.literal("belief_snapshot"),
  beliefs: z.looseObject({
    entities: z.array(z.looseObject({ name: z.string(), state: z.string() })).min(1),
    constraints: z.array(z.string()).optional(),
    risks: z.array(z.string()).optional(),
  }),
});

/** An assumption that has changed. */
export const AssumptionUpdate = z.looseObject({
  ...common,
  thought_type: z.literal("assumption_update"),
  assumptionChange: z.looseObject({
    text: z.string().optional(),
    oldStatus: z.string().optional(),
    newStatus: z.enum(["believed", "uncertain", "refuted"]),
    trigger: z.string().optional(),
    downstream: z
      .array(ThoughtNumber)
      .optional()
      .meta({ description: "The numbers of the thoughts that rested on it." }),
  }),
});

/** The surroundings: open files, errors, tools. */
export const ContextSnapshot = z.looseObject({
  ...common,
  thought_type: z.literal("context_snapshot"),
  contextData: z.looseObject({}),
});

/** How far something has come. */
export const Progress = z.looseObject({
  ...common,
  thought_type: z.literal("progress"),
  progressData: z.looseObject({
    task: z.string(),
    status: z.enum(["pending", "in_progress", "done", "blocked"]),
    note: z.string().optional(),
  }),
});

/** The seven types of Thoughtbox, told apart by `thought_type`, each with its extra field. */
export const TypedThought = z.discriminatedUnion("thought_type", [
  Reasoning,
  DecisionFrame,
  ActionReport,
  BeliefSnapshot,
  AssumptionUpdate,
  ContextSnapshot,
  Progress,
]);
export type TypedThought = z.infer<typeof TypedThought>;

/** A thought of any other type, or of none: only the fields that all thoughts share have rules. */
export const AnyThought = z.looseObject({ ...common, thought_type: z.string().min(1).optional() });
export type AnyThought = z.infer<typeof AnyThought>;
