import { context } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_DESCRIPTION,
  ATTR_GEN_AI_TOOL_TYPE,
} from "@thoughtflow/semconv";
import { checkFunction, optionCheck } from "./checks.ts";
import { knownFrom, placeOf, sessionAttributes } from "./claimed-place.ts";
import type { Dependency } from "./dependency.ts";
import type { StepHandle } from "./handles.ts";
import { observeResult } from "./observe-result.ts";
import { type OpenStep, openStep, type SpanSource } from "./open-step.ts";
import { silentStep } from "./silence.ts";
import { noteExecution, requestOfId, type ToolClaim } from "./tool-requests.ts";

/** One execution of a tool. */
export interface ToolCallOptions {
  readonly name: string;
  /** The arguments, or their JSON text as the model wrote it. */
  readonly args?: unknown;
  /** The id by which the model asked for the call: what joins the call, its request and its output. */
  readonly callId?: string;
  /** `function` (default), `extension`, `datastore` … */
  readonly type?: string;
  readonly description?: string;
  /** Unique inside the run; default `s_<span id>`. */
  readonly id?: string;
  readonly dependsOn?: Dependency | readonly Dependency[];
}

const checkToolCall = optionCheck(
  "withToolCall",
  { name: "id", callId: "id", type: "string", description: "string" },
  ["name"],
);

/**
 * Runs a function as the execution of a tool: an `execute_tool` span and a step `tool_call` with its output. Outside
 * of any span it joins the run of the model call that asked for `callId`.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function withToolCall<T>(options: ToolCallOptions, fn: (step: StepHandle) => T): T {
  checkToolCall(options);
  checkFunction("withToolCall", fn);
  const step = openToolCall(options);
  if (step === undefined) return fn(silentStep(options.id));
  return observeResult(() => context.with(step.context, fn, undefined, step.handle), {
    returned: step.end,
    threw: step.fail,
  });
}

/**
 * Starts the execution of a tool, with edges to the model call that asked for it and to an earlier execution that it
 * repeats; `undefined` where nothing is traced.
 *
 * @param claim the request that it answers; default: the one that `callId` names
 * @param source where the span comes from; default: the global provider
 */
export function openToolCall(
  options: ToolCallOptions,
  claim: ToolClaim | undefined = options.callId === undefined
    ? undefined
    : requestOfId(options.callId, context.active()),
  source?: SpanSource,
): OpenStep | undefined {
  const { args, callId = claim?.request.callId, type = "function", description, ...rest } = options;
  const outside = placeOf(claim);
  const step = openStep(
    {
      ...rest,
      label: "tool_call",
      input: args,
      attributes: {
        [ATTR_GEN_AI_TOOL_TYPE]: type,
        ...(callId && { [ATTR_GEN_AI_TOOL_CALL_ID]: callId }),
        ...(description !== undefined && { [ATTR_GEN_AI_TOOL_DESCRIPTION]: description }),
        ...sessionAttributes(claim, outside),
      },
    },
    { outside, known: claim && knownFrom(claim), source },
  );
  if (claim !== undefined && step !== undefined) noteExecution(claim.request, step.handle);
  return step;
}
