import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STATUS,
} from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import { checkFunction, optionCheck } from "./checks.ts";
import { attachContent } from "./content.ts";
import {
  createDependencies,
  type Dependency,
  dependencyList,
  writeDependencies,
} from "./dependencies.ts";
import { exposeContent, spanContentCapture } from "./expose-content.ts";
import { isCancellation, recordFailure } from "./failure.ts";
import { flowAttributesOf, runOf, sessionOf, setStep, stepOf } from "./flow-context.ts";
import type { StepHandle } from "./handles.ts";
import { observeResult } from "./observe-result.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { silentStep } from "./silence.ts";
import type { StepLabel } from "./step-label.ts";
import { type StepShape, stepShape } from "./step-shape.ts";
import { activeTracer, endAtStart, isLocalRoot, startSpan } from "./tracer.ts";

/** One step. */
export interface StepOptions {
  readonly label: StepLabel;
  /** Of the tool, agent, node …: what the step is called in diagrams. */
  readonly name?: string;
  /** Unique inside the run; default `s_<span id>`. */
  readonly id?: string;
  /** The model, for `assistant_call` and `embedding`. */
  readonly model?: string;
  /** What the step starts from, by reference: arguments, a text, or for model calls and snapshots the payload itself. */
  readonly input?: unknown;
  readonly dependsOn?: Dependency | readonly Dependency[];
  /** More attributes of the span, such as `gen_ai.usage.input_tokens`. */
  readonly attributes?: Attributes;
}

/** A step that is over when it is recorded. */
export interface MomentOptions extends StepOptions {
  /** What came of it. */
  readonly output?: unknown;
}

const STEP_OPTIONS = {
  label: "id",
  name: "string",
  id: "id",
  model: "string",
  dependsOn: "dependencies",
  attributes: "object",
} as const;

const checkStep = optionCheck("withStep", STEP_OPTIONS, ["label"]);
const checkMoment = optionCheck("recordStep", STEP_OPTIONS, ["label"]);

/**
 * Runs a function as a step of the open run; outside any run the step gets one of its own. What the function
 * returns is the step's result unless `setOutput` says otherwise; what it throws is the step's error. Both reach
 * the caller unchanged.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function withStep<T>(options: StepOptions, fn: (step: StepHandle) => T): T {
  checkStep(options);
  checkFunction("withStep", fn);
  const step = openStep(options);
  if (step === undefined) return fn(silentStep(options.id));
  return observeResult(() => context.with(step.context, fn, undefined, step.handle), {
    returned: step.end,
    threw: step.fail,
  });
}

/**
 * Records a step that has no duration.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function recordStep(options: MomentOptions): StepHandle {
  checkMoment(options);
  const step = openStep(options);
  if (step === undefined) return silentStep(options.id);
  step.endAtOnce(options.output);
  return step.handle;
}

/** A step between its start and its end. */
export interface OpenStep {
  readonly handle: StepHandle;
  /** What happens inside the step happens in this context. */
  readonly context: Context;
  readonly end: (result: unknown) => void;
  readonly endAtOnce: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** Starts a step, and a run for it where there is none; `undefined` where nothing is traced. */
export function openStep(options: StepOptions): OpenStep | undefined {
  const tracer = activeTracer();
  if (tracer === undefined) return undefined;
  const outside = context.active();
  const ownRun = isLocalRoot(outside) ? openRun(tracer, outside, { origin: "derived" }) : undefined;
  const step = startStep(tracer, ownRun?.context ?? outside, options, ownRun);
  if (step === undefined) ownRun?.end();
  return step;
}

function startStep(
  tracer: Tracer,
  parent: Context,
  options: StepOptions,
  ownRun: OpenRun | undefined,
): OpenStep | undefined {
  const { label, id } = options;
  const shape = stepShape(label);
  const run = runOf(parent);
  const dependencies = createDependencies(parent);
  const links = dependencies.add(dependencyList(options.dependsOn));
  const span = startSpan(
    tracer,
    spanName(shape, options),
    {
      kind: shape.kind ?? SpanKind.INTERNAL,
      links: [...(run?.links.splice(0) ?? []), ...links],
      attributes: {
        ...flowAttributesOf(parent),
        ...nameAttributes(shape, options),
        [ATTR_THOUGHTFLOW_STEP_LABEL]: label,
        ...(id !== undefined && { [ATTR_THOUGHTFLOW_STEP_ID]: id }),
        ...dependencies.attributes(),
        ...options.attributes,
      },
    },
    parent,
  );
  if (span === undefined) return undefined;

  const spanContext = span.spanContext();
  if (id !== undefined) run?.named.set(id, spanContext);
  const values: Record<string, unknown> = span.isRecording()
    ? { ...shape.started(options.input, options.name) }
    : {};
  if (span.isRecording()) attachContent(span, { values });
  let output: { readonly value: unknown } | undefined;

  const write = (action: () => void): void => {
    if (span.isRecording()) attempt(action);
  };
  const close = (result: unknown, endSpan: () => void): void => {
    write(() => {
      Object.assign(values, shape.completed(output === undefined ? result : output.value));
      if (spanContentCapture()) exposeContent(span);
    });
    attempt(endSpan);
  };
  const handle: StepHandle = {
    id: id ?? `s_${spanContext.spanId}`,
    runId: run?.runId,
    sessionId: sessionOf(parent)?.sessionId,
    spanContext,
    setOutput: (value) => {
      output = { value };
    },
    dependsOn: (...on) => {
      write(() => writeDependencies(span, dependencies, dependencies.add(on)));
    },
    setStatus: (status, message) => {
      write(() => writeStatus(span, status, message));
    },
    recordError: (error) => {
      write(() => recordFailure(span, error));
    },
  };
  return {
    handle,
    context: setStep(trace.setSpan(parent, span), handle),
    end: (result) => {
      close(result, () => span.end());
      ownRun?.end();
    },
    endAtOnce: (result) => {
      close(result, () => endAtStart(span));
      ownRun?.end();
    },
    fail: (error) => {
      write(() => {
        if (isCancellation(error)) span.setAttribute(ATTR_THOUGHTFLOW_STEP_STATUS, "cancelled");
        else recordFailure(span, error);
      });
      close(undefined, () => span.end());
      ownRun?.fail(error);
    },
  };
}

function spanName({ operation, named }: StepShape, options: StepOptions): string {
  const key = named === undefined ? undefined : options[named.by];
  const first = operation ?? options.label;
  return key === undefined ? first : `${first} ${key}`;
}

function nameAttributes({ operation, named }: StepShape, options: StepOptions): Attributes {
  const key = named === undefined ? undefined : options[named.by];
  return {
    ...(operation !== undefined && { [ATTR_GEN_AI_OPERATION_NAME]: operation }),
    ...(named?.attribute !== undefined && key !== undefined && { [named.attribute]: key }),
  };
}

function writeStatus(span: Span, status: string, message: string | undefined): void {
  if (status === "error")
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message && { message }) });
  else if (status === "ok") span.setStatus({ code: SpanStatusCode.OK });
  else span.setAttribute(ATTR_THOUGHTFLOW_STEP_STATUS, status);
}

/** The innermost step that is open here, if one is. */
export function activeStep(): StepHandle | undefined {
  return stepOf(context.active());
}
