import { z } from "zod";

const StepId = z.string().min(1).meta({ description: "Unique inside its run." });
const Timestamp = z.string().meta({ description: "ISO 8601, UTC, milliseconds." });
const Milliseconds = z.number().meta({ description: "Whole milliseconds, rounded half up." });
const Count = z.number().int().nonnegative();
const Payload = z.record(z.string(), z.unknown());
const Attributes = z.record(z.string(), z.unknown()).meta({
  description: "What its span says beside all this: attributes of other emitters, as they came.",
});

/** Origin of an edge: the program said so, ids match, or time, order or text suggest it. */
export const EdgeOrigin = z.enum(["declared", "observed", "inferred"]);
export type EdgeOrigin = z.infer<typeof EdgeOrigin>;

/** "This step rests on that one." */
export const Edge = z
  .looseObject({
    to: z.string().min(1).meta({
      description:
        "A step id of the same run; `<run id>/<step id>`; `<trace id>/<step id>` in another session.",
    }),
    type: z
      .string()
      .min(1)
      .meta({ description: "What kind of dependency: `reads`, `responds_to` …" }),
    origin: EdgeOrigin,
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "Below 1 when inferred; absent otherwise." }),
    evidence: z.string().optional().meta({
      description:
        "What the edge was read from: a call id, a response id, a `compaction` of the conversation …",
    }),
  })
  .meta({ id: "Edge" });
export type Edge = z.infer<typeof Edge>;

const tokenCounts = {
  input_tokens: Count.optional(),
  output_tokens: Count.optional(),
  cache_read_input_tokens: Count.optional(),
  cache_write_input_tokens: Count.optional(),
  reasoning_output_tokens: Count.optional(),
  text_input_tokens: Count.optional(),
  text_output_tokens: Count.optional(),
  image_input_tokens: Count.optional(),
  image_output_tokens: Count.optional(),
  audio_input_tokens: Count.optional(),
  audio_output_tokens: Count.optional(),
  text_cache_read_input_tokens: Count.optional(),
  image_cache_read_input_tokens: Count.optional(),
  audio_cache_read_input_tokens: Count.optional(),
};

/**
 * Tokens of one model call, or the sum over several. Input includes cached, output includes reasoning tokens; those by
 * modality are parts of the same totals.
 */
export const Usage = z.looseObject(tokenCounts).meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

const Amount = z
  .string()
  .nullable()
  .meta({ description: "In `currency`, exact decimal text; null when unknown." });
const Currency = z.string().meta({ description: "ISO 4217: `USD`." });

/** What one model call cost, by a table of prices of the day of the call. */
export const Cost = z
  .looseObject({
    status: z.string().min(1).meta({
      description:
        "`priced`; `estimated`: the table's standard price, where something says that another was paid; `stated`: the table has no price, and the program says one; `unknown_model`; `missing_usage`.",
    }),
    currency: Currency,
    total: Amount,
    input: Amount.optional(),
    cached_input: Amount.optional().meta({
      description:
        "Of `input`, what the tokens from the provider's cache cost; absent where there are none.",
    }),
    output: Amount.optional(),
    stated: Amount.optional().meta({
      description: "What the program itself says that the call cost; absent where it says nothing.",
    }),
    model: z.string().optional().meta({ description: "As the table of prices names it." }),
    price_table: z
      .string()
      .optional()
      .meta({ description: "The table and its version: `genai-prices 0.1.8`." }),
    price_date: z.string().optional().meta({
      description: "The day whose prices these are, in UTC: the one on which the call began.",
    }),
  })
  .meta({ id: "Cost" });
export type Cost = z.infer<typeof Cost>;

/** The sum of what several model calls cost. */
export const TotalCost = z
  .looseObject({
    currency: Currency,
    total: Amount.meta({
      description: "Of the calls that have an amount, exact decimal text; null when none has.",
    }),
    calls: z.record(z.string(), Count).meta({
      description:
        "How many amounts have which status: one each call, and one what a program counted of calls that tell nothing. The total is whole when all are `priced`.",
    }),
  })
  .meta({ id: "TotalCost" });
export type TotalCost = z.infer<typeof TotalCost>;

/** What went wrong, as the program or the provider said it. */
export const FlowError = z
  .looseObject({
    type: z
      .string()
      .optional()
      .meta({ description: "Low-cardinality: an error class, a provider's code, a status." }),
    message: z.string().optional(),
    stack: z.string().optional(),
  })
  .meta({ id: "FlowError" });
export type FlowError = z.infer<typeof FlowError>;

/** One atomic operation of a run. */
export const Step = z
  .looseObject({
    step_id: StepId,
    label: z
      .string()
      .min(1)
      .meta({ description: "What kind of step: `user_message`, `assistant_call`, `tool_call` …" }),
    depends_on: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({
        description: "What this step rests on: absent, one id, or a list; same targets as `edges`.",
      }),
    started_at: Timestamp.optional(),
    ended_at: Timestamp.optional(),
    duration_ms: Milliseconds.optional(),
    wait_ms: Milliseconds.optional().meta({
      description: "Start minus the latest end of what it rests on.",
    }),
    status: z
      .string()
      .optional()
      .meta({ description: "`running`, `ok`, `error`, `cancelled` or `abandoned`." }),
    origin: z.string().optional().meta({
      description: "`recorded`: a span says so; `derived`: read out of a model call's messages.",
    }),
    trace_id: z.string().optional(),
    span_id: z.string().optional(),
    parent_step_id: StepId.optional(),
    outer_span_id: z.string().optional().meta({
      description:
        "Of a model call that another instrumentation reports too: its span, around this one. Tokens and cost stand at one of both.",
    }),
    agent_id: z.string().optional(),
    aliases: z.array(z.string()).optional().meta({ description: "Other ids of this step." }),
    payload_started: Payload.optional(),
    payload_completed: Payload.optional(),
    usage: Usage.optional(),
    cost: Cost.optional(),
    error: FlowError.optional(),
    edges: z.array(Edge).optional(),
    attributes: Attributes.optional(),
  })
  .meta({ id: "Step" });
export type Step = z.infer<typeof Step>;

/** Counts and sums over the steps of a run or a session. */
export const Totals = z
  .looseObject({
    runs: Count.optional(),
    steps: Count,
    model_calls: Count,
    tool_calls: Count,
    thoughts: Count.optional().meta({ description: "Absent where nobody thought aloud." }),
    branches: Count.optional().meta({
      description: "Tracks of thoughts beside the main one; absent where there are none.",
    }),
    errors: Count,
    ...tokenCounts,
    cost: TotalCost.optional(),
  })
  .meta({ id: "Totals" });
export type Totals = z.infer<typeof Totals>;

/** One continuous conversation with a model: who is talking. */
export const Agent = z
  .looseObject({
    agent_id: z.string().min(1),
    ordinal: z
      .number()
      .int()
      .positive()
      .optional()
      .meta({ description: "By when it began, from 1." }),
    name: z.string().optional(),
    models: z.array(z.string()).optional(),
    parent_agent_id: z
      .string()
      .optional()
      .meta({ description: "The agent that gave it its work." }),
    spawned_by: z.string().optional().meta({
      description:
        "The step that asked for it: `<run id>/<step id>`; `<trace id>/<step id>` where another session has it.",
    }),
    origin: EdgeOrigin.optional().meta({ description: "How it is known who asked for it." }),
    started_at: Timestamp.optional(),
    ended_at: Timestamp.optional(),
    totals: Totals.optional(),
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

/** One task, from a user input or trigger to its end. */
export const Run = z
  .looseObject({
    conversation_id: z.string().min(1).meta({ description: "The run's id." }),
    run_id: z
      .string()
      .optional()
      .meta({ description: "The same id under ThoughtFlow's own word." }),
    name: z.string().optional(),
    origin: z.string().optional().meta({
      description: "`recorded`: the program opened it; `derived`: read from its model calls.",
    }),
    channel: z.string().optional(),
    status: z
      .string()
      .optional()
      .meta({ description: "`running`, `completed`, `error`, `aborted` or `abandoned`." }),
    status_reason: z.string().optional().meta({
      description:
        "Where a process decided the status, why: `process_exit`, `signal`, `uncaught_exception`, `never_ended`, `recovered_after_crash`; `stalled` where a run hangs.",
    }),
    started_at: Timestamp.optional(),
    ended_at: Timestamp.optional(),
    duration_ms: Milliseconds.optional(),
    trace_id: z.string().optional(),
    span_id: z.string().optional().meta({ description: "The local root span." }),
    agent: z.string().optional(),
    user: z.string().optional(),
    trigger: z
      .string()
      .optional()
      .meta({ description: "`user_message`, `schedule`, `event`, `agent`, `resume`, `unknown`." }),
    previous_run: z.string().optional(),
    initial_state: z.unknown().optional(),
    final_state: z.unknown().optional(),
    error: FlowError.optional(),
    totals: Totals.optional(),
    attributes: Attributes.optional(),
    steps: z.array(Step),
  })
  .meta({ id: "Run" });
export type Run = z.infer<typeof Run>;

/** What the records say is missing. `partial` when any list or count below is not empty. */
export const Completeness = z
  .looseObject({
    status: z.enum(["complete", "partial"]),
    open_steps: z
      .array(z.string())
      .optional()
      .meta({ description: "Started, not ended: `<run id>/<step id>`." }),
    missing_parents: z
      .array(z.string())
      .optional()
      .meta({ description: "Span ids that are named as parent and never came." }),
    truncated: z
      .looseObject({
        links: Count.optional(),
        attributes: Count.optional(),
        events: Count.optional(),
        content: Count.optional(),
      })
      .optional(),
    unsampled: Count.optional(),
  })
  .meta({ id: "Completeness" });
export type Completeness = z.infer<typeof Completeness>;

/** Something a reader should know: a cycle, a dangling id, a clock that ran backwards. */
export const Warning = z
  .looseObject({
    code: z.string().min(1),
    message: z.string(),
    step_id: z.string().optional().meta({ description: "`<run id>/<step id>`." }),
  })
  .meta({ id: "Warning" });
export type Warning = z.infer<typeof Warning>;

/** Two different bodies came for one span; the other ones. */
export const Conflict = z
  .looseObject({
    trace_id: z.string(),
    span_id: z.string(),
    body: z.string(),
  })
  .meta({ id: "Conflict" });
export type Conflict = z.infer<typeof Conflict>;

/** A file with more runs of a session that is too long for one. */
export const Part = z
  .looseObject({
    path: z.string().meta({ description: "`<session>/part-<n>-<hash>.json`, beside this file." }),
    runs: Count.meta({ description: "Of which it holds steps." }),
    steps: Count,
    bytes: Count,
    sha256: z.string(),
  })
  .meta({ id: "Part" });
export type Part = z.infer<typeof Part>;

/** The file: one session, its runs, their steps. */
export const Session = z.looseObject({
  schema_version: z.string().optional(),
  session_id: z.string().min(1),
  revision: Count.optional().meta({
    description: "Grows with what is known; a function of the records.",
  }),
  title: z.string().optional(),
  tags: z.array(z.string()).optional(),
  status: z
    .string()
    .optional()
    .meta({ description: "`active`, `completed`, `abandoned`, `error` or `aborted`." }),
  status_reason: z.string().optional().meta({
    description: "Where a process decided the status and not the program, why: `idle_timeout`.",
  }),
  reopened: z
    .boolean()
    .optional()
    .meta({ description: "A run began after somebody had said that the session is over." }),
  origin: EdgeOrigin.optional().meta({
    description:
      "How the session was told: `declared` by the program, `observed` by ids, `inferred` from histories.",
  }),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "With origin `inferred`: the weakest link of the chain." }),
  started_at: Timestamp.optional(),
  ended_at: Timestamp.optional(),
  user: z.string().optional(),
  resource: Payload.optional().meta({ description: "The resource attributes of the process." }),
  totals: Totals.optional(),
  completeness: Completeness.optional(),
  agents: z.array(Agent).optional().meta({
    description:
      "Where the spans name agents: each with what it did, in the order in which they began.",
  }),
  warnings: z.array(Warning).optional(),
  conflicts: z.array(Conflict).optional(),
  conversations: z.array(Run),
  parts: z.array(Part).optional().meta({
    description:
      "Of a session whose runs are longer than 256 MiB: the files with those that don't stand here, in order.",
  }),
});
export type Session = z.infer<typeof Session>;
