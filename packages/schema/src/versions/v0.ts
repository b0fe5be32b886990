import { z } from "zod";

/**
 * The files of the original, which carry no `schema_version`. They came in two generations: the
 * earlier one writes a tool's result as a step of its own, `tool_output`; the later one folds it into
 * `payload_completed.output` of the `tool_call`, and its session file names a run by `id`.
 */
const StepV0 = z.looseObject({
  step_id: z.string().min(1),
  label: z.string().min(1),
  depends_on: z.union([z.string(), z.array(z.string())]).optional(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  duration_ms: z.number().optional(),
  payload_started: z.record(z.string(), z.unknown()).optional(),
  payload_completed: z.record(z.string(), z.unknown()).optional(),
});
export type StepV0 = z.infer<typeof StepV0>;

const RunV0 = z
  .looseObject({
    conversation_id: z.string().min(1).optional(),
    id: z.string().min(1).optional(),
    channel: z.string().optional(),
    status: z.string().optional(),
    started_at: z.string().optional(),
    ended_at: z.string().optional(),
    duration_ms: z.number().optional(),
    steps: z.array(StepV0),
  })
  .refine((run) => run.conversation_id !== undefined || run.id !== undefined, {
    path: ["conversation_id"],
    error: "a string",
  });
export type RunV0 = z.infer<typeof RunV0>;

export const SessionV0 = z.looseObject({
  session_id: z.string().min(1),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  conversations: z.array(RunV0),
});
export type SessionV0 = z.infer<typeof SessionV0>;
