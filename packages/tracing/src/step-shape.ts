import { SpanKind } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  OPERATION_RETRIEVAL,
  OPERATION_SEARCH_MEMORY,
  OPERATION_UPSERT_MEMORY,
} from "@thoughtflow/semconv";
import { parsedText } from "./json-text.ts";
import type { KnownStepLabel } from "./step-label.ts";

/** How steps of one label are written as spans. */
export interface StepShape {
  /** `gen_ai.operation.name`, for labels that the conventions know. */
  readonly operation?: string;
  readonly kind?: SpanKind;
  /** The attribute that holds the step's name, or the model's, and ends the span's name. */
  readonly named?: { readonly by: "name" | "model"; readonly attribute?: string };
  /** Content attributes of the input, and of the output. */
  readonly started: (input: unknown, name: string | undefined) => Record<string, unknown>;
  readonly completed: (output: unknown) => Record<string, unknown>;
}

const started = (payload: unknown): Record<string, unknown> => ({
  [ATTR_THOUGHTFLOW_STEP_STARTED]: payload,
});
const completed = (payload: unknown): Record<string, unknown> => ({
  [ATTR_THOUGHTFLOW_STEP_COMPLETED]: payload,
});

/** Something with a name that takes arguments and gives a result. */
const call: StepShape = {
  named: { by: "name" },
  started: (input, name) =>
    input === undefined && name === undefined ? {} : started({ name, args: input }),
  completed: (output) => (output === undefined ? {} : completed({ result: output })),
};

/** Something whose payload is the program's own object. */
const facts: StepShape = {
  started: (input) => (input === undefined ? {} : started(fields(input))),
  completed: (output) => (output === undefined ? {} : completed(fields(output))),
};

const modelCall: StepShape = {
  operation: OPERATION_CHAT,
  kind: SpanKind.CLIENT,
  named: { by: "model", attribute: ATTR_GEN_AI_REQUEST_MODEL },
  started: (input, name) => {
    const payload = { ...(name !== undefined && { name }), ...fields(input) };
    return Object.keys(payload).length === 0 ? {} : started(payload);
  },
  completed: facts.completed,
};

const toolCall: StepShape = {
  operation: OPERATION_EXECUTE_TOOL,
  named: { by: "name", attribute: ATTR_GEN_AI_TOOL_NAME },
  started: (input) =>
    input === undefined ? {} : { [ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]: parsedText(input) },
  completed: (output) => (output === undefined ? {} : { [ATTR_GEN_AI_TOOL_CALL_RESULT]: output }),
};

const SHAPES: Readonly<Record<KnownStepLabel, StepShape>> = {
  user_message: {
    started: (input) => started(fields(input)),
    completed: () => completed({ ok: true }),
  },
  assistant_message: { started: () => ({}), completed: facts.completed },
  assistant_call: modelCall,
  tool_call: toolCall,
  tool_output: { started: () => ({}), completed: call.completed },
  tool_error: {
    started: () => ({}),
    completed: (output) => (output === undefined ? {} : completed({ error: output })),
  },
  thought: facts,
  node: call,
  agent: {
    ...call,
    operation: OPERATION_INVOKE_AGENT,
    named: { by: "name", attribute: ATTR_GEN_AI_AGENT_NAME },
  },
  handoff: call,
  retrieval: { ...call, operation: OPERATION_RETRIEVAL, kind: SpanKind.CLIENT },
  embedding: {
    ...call,
    operation: OPERATION_EMBEDDINGS,
    kind: SpanKind.CLIENT,
    named: { by: "model", attribute: ATTR_GEN_AI_REQUEST_MODEL },
  },
  evaluation: call,
  approval: call,
  memory_read: withoutNamed({ ...call, operation: OPERATION_SEARCH_MEMORY }),
  memory_write: withoutNamed({ ...call, operation: OPERATION_UPSERT_MEMORY }),
  "policy.snapshot": facts,
  "tool.schemas.snapshot": facts,
  "channel.preamble": facts,
  "context.preamble": facts,
  "prompt.adaptations": facts,
  generic: call,
};

/** The shape of a label; labels of the program's own are written like `generic`. */
export function stepShape(label: string): StepShape {
  return Object.hasOwn(SHAPES, label) ? SHAPES[label as KnownStepLabel] : call;
}

/** A memory span's name is its operation alone. */
function withoutNamed({ named: _, ...shape }: StepShape): StepShape {
  return shape;
}

/** A text stands for `{ text }`, a list for `{ content }`; anything that is no object for `{ value }`. */
function fields(value: unknown): Record<string, unknown> {
  if (typeof value === "string") return { text: value };
  if (Array.isArray(value)) return { content: value };
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  return value === undefined ? {} : { value };
}
