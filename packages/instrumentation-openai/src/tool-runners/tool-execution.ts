import { context } from "@opentelemetry/api";
import { isThinkAloud } from "@thoughtflow/thoughts";
import {
  earlyRequest,
  hearResult,
  type OpenStep,
  openToolCall,
  requestOfId,
  setThoughtClaim,
  type ToolClaim,
} from "@thoughtflow/tracing/internal";
import { guarded } from "../degradation.ts";
import { toolEnded } from "../derived-runs.ts";
import type { Observer } from "../observer.ts";
import { openRunOf, outsideOfLoop, toolLoopOf } from "./tool-loop.ts";

/** A tool that an SDK's loop is about to run. Its description is content, and stands in the model call. */
export interface LoopTool {
  readonly name: string;
  /** JSON text as the model wrote it, or what a parser made of it. */
  readonly args?: unknown;
  /** Absent where the loop tells none. */
  readonly callId?: string | undefined;
  /** Default `function`. */
  readonly type?: string;
}

/**
 * Runs a tool for a loop of the SDK, in the context of a span of its own. The SDK gets what the tool gives, the very
 * object.
 *
 * @param run calls the tool exactly as the SDK would; the SDK awaits what comes of it
 * @param resultOf the tool's result, where `run` gives something else
 */
export function executeTool<T>(
  observer: Observer,
  tool: LoopTool,
  run: () => T,
  resultOf: (value: unknown) => unknown = (value) => value,
): T {
  let claim: ToolClaim | undefined;
  guarded("finding a tool's request", () => {
    claim = claimOf(tool);
  });
  // The thought is the step, and it is recorded by whoever executes it, else read out of the messages.
  if (claim !== undefined && isThinkAloud(tool.name))
    return context.with(outsideOfLoop(setThoughtClaim(context.active(), claim)), run);
  let step: OpenStep | undefined;
  guarded("starting a tool's span", () => {
    step = openTool(observer, tool, claim);
  });
  if (step === undefined) return run();
  const { end, fail } = step;
  let result: T;
  try {
    result = context.with(outsideOfLoop(step.context), run);
  } catch (error) {
    fail(error);
    throw error;
  }
  guarded("following a tool", () =>
    hearResult(result, { returned: (value) => end(resultOf(value)), threw: fail }),
  );
  return result;
}

function openTool(
  observer: Observer,
  tool: LoopTool,
  claim: ToolClaim | undefined,
): OpenStep | undefined {
  const { tracer, sink, captureContentOnSpans: captureContent } = observer;
  const { name, args, callId, type } = tool;
  const run = openRunOf(toolLoopOf(context.active()));
  return openToolCall(
    {
      name,
      args,
      ...(callId && { callId }),
      ...(type !== undefined && { type }),
    },
    claim,
    {
      tracer,
      captureContent,
      started: (span, parent) => sink.onStart(span, parent),
      ended(span) {
        if (run !== undefined) toolEnded(run, span);
        sink.onEnd(span);
      },
    },
  );
}

/**
 * The request that a tool answers. In a loop it is one of the latest model call, also when the tool starts before that
 * call has ended, so that nothing is known of its answer yet.
 */
function claimOf({ name, callId = "" }: LoopTool): ToolClaim | undefined {
  const active = context.active();
  const told = requestOfId(callId, active);
  const loop = toolLoopOf(active);
  const latest = loop?.latestCall;
  const isOther = latest !== undefined && told?.request.call.spanContext.spanId !== latest.spanId;
  if (told?.request.name === name && !(isOther && told.request.execution !== undefined))
    return told;
  if (latest === undefined) return undefined;
  const sessionId = loop?.run?.session?.sessionId;
  const call = { id: `s_${latest.spanId}`, sessionId, spanContext: latest };
  return { request: earlyRequest(call, callId, name), isInferred: false };
}
