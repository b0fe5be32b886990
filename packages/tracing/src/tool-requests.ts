import { isDeepStrictEqual } from "node:util";
import type { Context, SpanContext } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import { isThinkAloud, readThinkAloud } from "@thoughtflow/thoughts";
import { processState } from "./process-state.ts";
import type { StepReference } from "./step-reference.ts";
import { isAnybodyListening, publishThought, thoughtEvent } from "./thought-stream.ts";

/** A model call whose answer asks for tools. */
export interface AskingCall extends StepReference {
  readonly spanContext: SpanContext;
}

/** One tool call as a model asked for it. */
export interface RequestedTool {
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments?: unknown;
}

/** A tool call that a model asked for, and what became of it. */
export interface ToolRequest {
  readonly call: AskingCall;
  /** Empty where the provider gives none. */
  readonly callId: string;
  readonly name: string;
  /**
   * The step that stands for it in the document while nothing recorded it: `<call step>.t<n>`. Absent while the answer
   * that asks for it is still coming.
   */
  stepId: string | undefined;
  /** Where the tool runs when the program has no span open: the run of the call. Held until the output is read. */
  context: Context | undefined;
  /** Held only until it is executed or read, and only for programs that find their calls by arguments. */
  args: unknown;
  /** The latest execution. */
  execution: StepReference | undefined;
  /** The step that holds what it gave. */
  outputId: string | undefined;
  /** A later model call was given its output. */
  isRead: boolean;
}

/** A tool call that is about to be executed, and the model's request that it answers. */
export interface ToolClaim {
  readonly request: ToolRequest;
  /** Found by its name and arguments, not by its id. */
  readonly isInferred: boolean;
}

/** How many requests are remembered. */
const REMEMBERED = 10_000;
/** A tenth at once: a map that loses one entry at its front for each new one gets slow. */
const KEPT = 0.9;

const requests = processState("tool-requests.v1", () => ({
  byCallId: new Map<string, ToolRequest[]>(),
  /** Not executed and not read, by the tool's name. */
  waiting: new Map<string, Set<ToolRequest>>(),
  isSoughtByArguments: false,
}));

/** From now on requests are held with their arguments, for tools that are not told which call they answer. */
export function seekByArguments(): void {
  requests.isSoughtByArguments = true;
}

/** Remembers what a model asked for: tools that are executed find it, and the model call that reads their outputs. */
export function noteToolRequests(
  call: AskingCall,
  tools: readonly RequestedTool[],
  context: Context | undefined,
): void {
  for (const [at, { id: callId = "", name, arguments: args }] of tools.entries()) {
    const stepId = `${call.id}.t${at + 1}`;
    const known = requests.byCallId.get(callId)?.find((one) => isSame(one, call, stepId));
    if (known !== undefined) {
      known.stepId = stepId;
      continue;
    }
    const request = remember(call, callId, name, stepId);
    request.context = context;
    // A thought that nobody executes is told of when its answer is read.
    if (isAnybodyListening() && isThinkAloud(name)) request.args = args;
    if (!requests.isSoughtByArguments) continue;
    request.args = args;
    const waiting = requests.waiting.get(name);
    if (waiting === undefined) requests.waiting.set(name, new Set([request]));
    else waiting.add(request);
    const [oldest] = waiting ?? [];
    if (oldest !== undefined && (waiting?.size ?? 0) > MOST_WAITING) stopWaiting(oldest);
  }
}

/** A request out of an answer that is still coming. */
export function earlyRequest(call: AskingCall, callId: string, name: string): ToolRequest {
  return remember(call, callId, name, undefined);
}

/** An answer may have told of it while it was coming, or be read a second time. */
function isSame({ stepId, call }: ToolRequest, { id }: AskingCall, asStep: string): boolean {
  return call.id === id && (stepId === undefined || stepId === asStep);
}

function remember(
  call: AskingCall,
  callId: string,
  name: string,
  stepId: string | undefined,
): ToolRequest {
  const request: ToolRequest = {
    call,
    callId,
    name,
    stepId,
    context: undefined,
    args: undefined,
    execution: undefined,
    outputId: undefined,
    isRead: false,
  };
  const known = requests.byCallId.get(callId) ?? [];
  // Put in anew, so that the ids longest unused stand in front.
  requests.byCallId.delete(callId);
  requests.byCallId.set(callId, [...known.slice(-MOST_OF_ONE_ID), request]);
  if (requests.byCallId.size > REMEMBERED) forgetOldest();
  return request;
}

/** Of one tool. Every call of a traced tool looks through those that wait for it. */
const MOST_WAITING = 1_000;

/** Some servers number the calls of every answer from 0. */
const MOST_OF_ONE_ID = 1_000;

function forgetOldest(): void {
  for (const [callId, ofOneId] of requests.byCallId) {
    if (requests.byCallId.size <= KEPT * REMEMBERED) return;
    requests.byCallId.delete(callId);
    ofOneId.forEach(stopWaiting);
  }
}

function stopWaiting(request: ToolRequest): void {
  request.args = undefined;
  const waiting = requests.waiting.get(request.name);
  if (waiting?.delete(request) && waiting.size === 0) requests.waiting.delete(request.name);
}

/** The request that a tool call with this id answers: of several the latest, one that nobody answered before. */
export function requestOfId(callId: string, active: Context): ToolClaim | undefined {
  const found = ofTrace(requests.byCallId.get(callId) ?? [], active, isTelling(callId));
  const open = found.filter((one) => one.execution === undefined && !one.isRead);
  const request = firstOfLatestCall(open) ?? found.at(-1);
  return request && { request, isInferred: false };
}

/** The request that a call of this tool with these arguments answers, where there is no doubt. */
export function requestOfArguments(
  name: string,
  args: unknown,
  active: Context,
): ToolClaim | undefined {
  const traceId = trace.getSpanContext(active)?.traceId;
  const waiting = [...(requests.waiting.get(name) ?? [])].filter(
    ({ call }) => traceId === undefined || call.spanContext.traceId === traceId,
  );
  const equal = waiting.filter((one) => isDeepStrictEqual(one.args, args));
  const request =
    firstOfLatestCall(ofTrace(equal, active, false)) ??
    (waiting.length === 1 ? waiting[0] : undefined);
  return request && { request, isInferred: true };
}

/** The tool of a request is being executed, by this step; what it gives is a step of its own unless said otherwise. */
export function noteExecution(
  request: ToolRequest,
  step: StepReference,
  outputId: string = `${step.id}_out`,
): void {
  request.outputId = outputId;
  const { id, runId, sessionId, spanContext } = step;
  request.execution = { id, runId, sessionId: sessionId ?? request.call.sessionId, spanContext };
  stopWaiting(request);
}

/** The steps whose outputs a model call is given, by the ids of the tool calls that the outputs answer. */
export function outputsOfCalls(
  callIds: readonly string[],
  active: Context,
): readonly StepReference[] {
  const steps: StepReference[] = [];
  for (const callId of callIds) {
    const found = ofTrace(requests.byCallId.get(callId) ?? [], active, isTelling(callId));
    const request = firstOfLatestCall(found.filter(({ isRead }) => !isRead)) ?? found.at(-1);
    if (request === undefined) continue;
    if (!request.isRead && request.execution === undefined) tellUnexecuted(request);
    request.isRead = true;
    request.context = undefined;
    stopWaiting(request);
    const { execution, outputId = "", stepId, call } = request;
    if (execution !== undefined) steps.push({ ...execution, id: outputId });
    else if (stepId !== undefined) steps.push({ id: `${stepId}_out`, sessionId: call.sessionId });
  }
  return steps;
}

/** What a model thought aloud by a tool of the app's own. */
function tellUnexecuted({ name, args, callId, stepId, call }: ToolRequest): void {
  if (args === undefined || !isThinkAloud(name)) return;
  publishThought(() => {
    const { thought } = readThinkAloud(args);
    return thoughtEvent(thought, {
      thoughtId: thought.id ?? `thought_${stepId ?? call.id}`,
      contextId: call.sessionId,
      taskId: call.spanContext.traceId,
      source: "tool-call",
      callId,
    });
  });
}

/**
 * Those of the active trace; where no span is active or none is of its trace, all, provided that they are of one
 * trace or their id tells one from the other.
 */
function ofTrace(
  all: readonly ToolRequest[],
  active: Context,
  isIdTelling: boolean,
): readonly ToolRequest[] {
  const traceId = trace.getSpanContext(active)?.traceId;
  const own = all.filter(({ call }) => call.spanContext.traceId === traceId);
  if (own.length > 0) return own;
  if (isIdTelling) return all;
  const isOneTrace = new Set(all.map(({ call }) => call.spanContext.traceId)).size === 1;
  return traceId === undefined && isOneTrace ? all : [];
}

function firstOfLatestCall(found: readonly ToolRequest[]): ToolRequest | undefined {
  const latest = found.at(-1)?.call;
  return found.find(({ call }) => call === latest);
}

/** An id such as `0` or `call_1` says nothing outside of its conversation. */
function isTelling(callId: string): boolean {
  return callId.length >= 8;
}
