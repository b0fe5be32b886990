import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import { context, SpanKind, trace } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_THOUGHTFLOW_PROMPT,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  ATTR_THOUGHTFLOW_STEP_STATUS,
} from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import {
  createDependencies,
  type Dependencies,
  dependencyList,
  type KnownDependencies,
  writeDependencies,
} from "./dependencies.ts";
import type { Dependency } from "./dependency.ts";
import { flowAttributesOf, runOf, sessionOf, setStep } from "./flow-context.ts";
import { flowSpan, type SpanWatcher } from "./flow-span.ts";
import type { StepHandle } from "./handles.ts";
import { lightContext } from "./light-context.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import type { PromptMessage } from "./prompt.ts";
import { promptOfComposed } from "./prompt-makeup.ts";
import type { StepLabel } from "./step-label.ts";
import { type StepShape, stepShape } from "./step-shape.ts";
import { activeTracer, isLocalRoot, madeOf, startSpan } from "./tracer.ts";

/** One step. */
export interface StepOptions {
  readonly label: StepLabel;
  /** Of the tool, agent, node …: what the step is called in diagrams. */
  readonly name?: string;
  /** Unique inside the run; default `s_<span id>`. */
  readonly id?: string;
  /** The model, for `assistant_call` and `embedding`. */
  readonly model?: string;
  /** What the step starts from: arguments, a text, or for model calls and snapshots the payload itself. Read when the program first waits. */
  readonly input?: unknown;
  /** What `composePrompt` gave, for model calls that no instrumentation sees. */
  readonly prompt?: string | readonly PromptMessage[];
  readonly dependsOn?: Dependency | readonly Dependency[];
  /** More attributes of the span, such as `gen_ai.usage.input_tokens`. */
  readonly attributes?: Attributes;
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

/** Where an instrumentation's steps get their spans, and who is told of them. Its spans never open a run. */
export interface SpanSource extends SpanWatcher {
  readonly tracer: Tracer;
  /** Right after the start. */
  readonly started?: (span: Span, parent: Context) => void;
}

/** What surrounds a step. */
export interface StepSurroundings {
  /** Default: the active context. */
  readonly outside?: Context;
  /** What it rests on besides what the program says. */
  readonly known?: KnownDependencies | undefined;
  /** Default: the global provider. */
  readonly source?: SpanSource | undefined;
}

/** Starts a step, and a run for it where there is none; `undefined` where nothing is traced, or can't be. */
export function openStep(
  options: StepOptions,
  surroundings: StepSurroundings = {},
): OpenStep | undefined {
  return attempt(() => stepIn(options, surroundings));
}

function stepIn(
  options: StepOptions,
  { outside = context.active(), known, source }: StepSurroundings,
): OpenStep | undefined {
  if (source !== undefined) return startStep(source, outside, options, known);
  const tracer = activeTracer();
  if (tracer === undefined) return undefined;
  if (!isLocalRoot(outside)) return startStep({ tracer }, outside, options, known);
  const run = openRun(tracer, outside, {}, "derived");
  if (run === undefined) return undefined;
  const step = attempt(() => startStep({ tracer }, run.context, options, known));
  if (step === undefined) {
    run.end();
    return undefined;
  }
  return insideOwnRun(step, run);
}

/** The run ends with the step, and as the step does. */
function insideOwnRun(step: OpenStep, run: OpenRun): OpenStep {
  return {
    ...step,
    end(result) {
      step.end(result);
      run.end();
    },
    endAtOnce(result) {
      step.endAtOnce(result);
      run.end();
    },
    fail(error) {
      step.fail(error);
      run.fail(error);
    },
  };
}

function startStep(
  source: SpanSource,
  parent: Context,
  options: StepOptions,
  known: KnownDependencies | undefined,
): OpenStep | undefined {
  const { label, id } = options;
  const shape = stepShape(label);
  const run = runOf(parent);
  const dependencies = createDependencies(parent, known?.sessionId);
  const links = [
    ...dependencies.add(dependencyList(options.dependsOn)),
    ...dependencies.add(known?.on ?? [], known?.origin),
  ];
  const span = startSpan(
    source.tracer,
    spanName(shape, options),
    {
      kind: shape.kind ?? SpanKind.INTERNAL,
      // Jaeger takes a root with links for a child.
      links: isLocalRoot(parent) ? [] : [...(run?.links.splice(0) ?? []), ...links],
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
  attempt(() => source.started?.(span, parent));
  const stepOfIt = () => stepOfSpan(span, source, parent, options, dependencies);
  return madeOf(span, stepOfIt, source.ended);
}

function stepOfSpan(
  span: Span,
  source: SpanSource,
  parent: Context,
  options: StepOptions,
  dependencies: Dependencies,
): OpenStep {
  const { id } = options;
  const shape = stepShape(options.label);
  const run = runOf(parent);
  const spanContext = span.spanContext();
  if (id !== undefined) run?.named.set(id, spanContext);
  const prompt = options.prompt === undefined ? undefined : promptOfComposed(options.prompt);
  const values = {
    ...shape.started(options.input, options.name),
    ...(prompt !== undefined && { [ATTR_THOUGHTFLOW_PROMPT]: prompt }),
  };
  const flow = flowSpan(span, STATUS_WORDS, values, source);
  let output: { readonly value: unknown } | undefined;
  const complete = (result: unknown): void => {
    flow.write(() => {
      Object.assign(flow.values, shape.completed(output === undefined ? result : output.value));
    });
  };
  const handle: StepHandle = {
    id: id ?? `s_${spanContext.spanId}`,
    runId: run?.runId,
    sessionId: sessionOf(parent)?.sessionId,
    spanContext,
    setOutput(value) {
      output = { value };
    },
    dependsOn(...on) {
      flow.write(() => writeDependencies(span, dependencies, dependencies.add(on)));
    },
    setStatus: flow.setStatus,
    recordError: flow.recordError,
  };
  return {
    handle,
    context: setStep(trace.setSpan(lightContext(parent), span), handle),
    end(result) {
      complete(result);
      flow.end();
    },
    endAtOnce(result) {
      complete(result);
      flow.endAtOnce();
    },
    fail(error) {
      flow.fail(error);
      complete(undefined);
      flow.end();
    },
  };
}

const STATUS_WORDS = {
  attribute: ATTR_THOUGHTFLOW_STEP_STATUS,
  cancelled: "cancelled",
  done: "ok",
};

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
