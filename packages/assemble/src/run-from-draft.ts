import type { Run, SessionRecord, Step, Warning } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_WORKFLOW_NAME,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_CHANNEL,
  ATTR_THOUGHTFLOW_RUN_FINAL_STATE,
  ATTR_THOUGHTFLOW_RUN_INITIAL_STATE,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  ATTR_THOUGHTFLOW_RUN_TRIGGER,
  ATTR_USER_ID,
} from "@thoughtflow/semconv";
import { causalOrder } from "./causal-order.ts";
import type { ContentReader } from "./content-reader.ts";
import { otherAttributes } from "./other-attributes.ts";
import { present } from "./present.ts";
import { errorOf } from "./recorded-steps.ts";
import { textAttribute } from "./span-node.ts";
import type { SpanRun } from "./span-runs.ts";
import type { RunDraft, StepDraft } from "./step-draft.ts";
import { stepFromDraft } from "./step-from-draft.ts";
import { isElsewhere, type StepNames } from "./step-names.ts";
import { earliest, isoFromNanoseconds, latest, millisecondsBetween } from "./time.ts";
import { totalsOf } from "./totals.ts";

export interface RunContext {
  readonly names: StepNames;
  readonly content: ContentReader;
  /** What was decided last about each run, by its key. */
  readonly decisions: ReadonlyMap<string, SessionRecord>;
  /** The id of the run before. */
  readonly previousRun: string | undefined;
}

/** A run as it stands in the document, with what a reader should be warned of. */
export function runFromDraft(
  draft: RunDraft,
  context: RunContext,
): { run: Run; warnings: Warning[] } {
  const { names, content, previousRun } = context;
  const { spans } = draft;
  const { root } = spans;
  const { steps: ordered, cyclic } = causalOrder(draft.steps);
  const decided = context.decisions.get(spans.key);
  const open = decided === undefined ? [] : ordered.filter((step) => step.status === "running");
  // Nobody will end what was open when its process ended; what is only stalled somebody may.
  if (decided?.status !== "running") for (const step of open) step.status = "abandoned";
  const steps = ordered.map((step) => stepFromDraft(step, names));
  const status = statusOf(spans, decided);
  const started = root?.start ?? earliest(spans.spans.map((span) => span.start));
  const ended = (spans.laterRoots.length > 0 ? undefined : root?.end) ?? endOf(spans);
  const stateOf = (name: string): unknown =>
    root === undefined ? undefined : content.value(root.record, name);
  const run: Run = {
    conversation_id: draft.id,
    run_id: draft.id,
    status,
    ...present({
      status_reason: isOpenRun(spans) ? decided?.reason : undefined,
      name: nameOf(spans),
      origin: originOf(spans),
      channel: anywhere(spans, ATTR_THOUGHTFLOW_RUN_CHANNEL),
      started_at: isoFromNanoseconds(started),
      ended_at: isoFromNanoseconds(ended),
      duration_ms: millisecondsBetween(started, ended),
      trace_id: spans.traceId,
      span_id: spans.rootSpanId,
      agent: anywhere(spans, ATTR_GEN_AI_AGENT_NAME),
      user: anywhere(spans, ATTR_USER_ID),
      trigger: anywhere(spans, ATTR_THOUGHTFLOW_RUN_TRIGGER) ?? triggerOf(steps),
      previous_run: previousRun,
      initial_state: stateOf(ATTR_THOUGHTFLOW_RUN_INITIAL_STATE),
      final_state: stateOf(ATTR_THOUGHTFLOW_RUN_FINAL_STATE),
      error: runError(spans, status, steps),
    }),
    totals: totalsOf(steps),
    ...present({
      attributes: isStep(root, draft) ? undefined : root && otherAttributes(root.record),
    }),
    steps,
  };
  const warnings = cyclic.map(cycleWarning);
  for (const step of ordered) addStepWarnings(step, warnings);
  for (const step of open) warnings.push(openWarning(step, decided));
  return { run, warnings };
}

/** When the last span ended, if all have. */
function endOf({ spans }: SpanRun): bigint | undefined {
  const isOpen = spans.some((span) => span.end === undefined);
  return isOpen ? undefined : latest(spans.map((span) => span.end));
}

/** Whether the root tells its attributes as a step. */
function isStep(root: SpanRun["root"], { steps }: RunDraft): boolean {
  return steps.some((step) => step.span === root && step.origin === "recorded");
}

function isOpenRun({ root, laterRoots, spans }: SpanRun): boolean {
  const told = root === undefined ? spans : [root, ...laterRoots];
  return told.some((span) => span.end === undefined);
}

function statusOf(run: SpanRun, decided: SessionRecord | undefined): string {
  if (isOpenRun(run)) return decided?.status ?? "running";
  const root = run.laterRoots.at(-1) ?? run.root;
  const own =
    root === undefined ? undefined : textAttribute(root.record, ATTR_THOUGHTFLOW_RUN_STATUS);
  return own ?? (root?.record.status.code === "error" ? "error" : "completed");
}

function originOf({ root }: SpanRun): string | undefined {
  if (root === undefined) return undefined;
  return textAttribute(root.record, ATTR_THOUGHTFLOW_ORIGIN) ?? "recorded";
}

function nameOf({ root }: SpanRun): string | undefined {
  if (root === undefined) return undefined;
  const { record } = root;
  return (
    textAttribute(record, ATTR_GEN_AI_WORKFLOW_NAME) ??
    textAttribute(record, ATTR_GEN_AI_AGENT_NAME) ??
    (originOf({ root } as SpanRun) === "derived" ? undefined : record.name)
  );
}

/** The root's value, else the first that a span of the run has. */
function anywhere({ root, spans }: SpanRun, name: string): string | undefined {
  const own = root === undefined ? undefined : textAttribute(root.record, name);
  if (own !== undefined) return own;
  for (const { record } of spans) {
    const value = textAttribute(record, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function triggerOf(steps: readonly Step[]): string {
  return steps.some((step) => step.label === "user_message") ? "user_message" : "unknown";
}

/** The word of a step for what a run says of itself. */
const STEP_STATUS: ReadonlyMap<string, string> = new Map([
  ["error", "error"],
  ["aborted", "cancelled"],
]);

/** Why a run failed or was aborted: what its root says, else the last of its steps that ended so. */
function runError({ root }: SpanRun, status: string, steps: readonly Step[]): Run["error"] {
  const word = STEP_STATUS.get(status);
  if (word === undefined) return undefined;
  const own = root === undefined ? undefined : errorOf(root.record, status === "aborted");
  if (own !== undefined && Object.keys(own).length > 0) return own;
  const isSo = (step: Step): boolean => word === "error" || step.status === word;
  return steps.findLast((step) => step.error !== undefined && isSo(step))?.error;
}

/** Of a step that was open when something was decided about its run. */
function openWarning(step: StepDraft, decided: SessionRecord | undefined): Warning {
  const waited = millisecondsBetween(step.started, decided && BigInt(decided.timeUnixNano));
  const time = waited === undefined ? "still open" : `open for ${(waited / 1000).toFixed(1)} s`;
  // Nobody saw a killed process die: the time is that of its last record.
  const end = decided?.reason === "recovered_after_crash" ? "was last heard of" : "ended";
  return decided?.status === "running"
    ? {
        code: "stalled_step",
        message: `it was ${time} and nothing happened in its run: ${decided.reason}`,
        step_id: pathOf(step),
      }
    : {
        code: "abandoned_step",
        message: `it was ${time} when its process ${end}: ${decided?.reason}`,
        step_id: pathOf(step),
      };
}

function cycleWarning(step: StepDraft): Warning {
  return { code: "dependency_cycle", message: "this step rests on itself", step_id: pathOf(step) };
}

function addStepWarnings(step: StepDraft, warnings: Warning[]): void {
  for (const { to } of step.edges) {
    if (typeof to !== "string" || isElsewhere(to)) continue;
    const message = `no step has the id ${JSON.stringify(to)}`;
    warnings.push({ code: "dangling_dependency", message, step_id: pathOf(step) });
  }
  if (
    step.origin === "recorded" &&
    step.ended !== undefined &&
    step.started !== undefined &&
    step.ended < step.started
  ) {
    warnings.push({
      code: "clock_ran_backwards",
      message: "it ended before it started",
      step_id: pathOf(step),
    });
  }
}

function pathOf(step: StepDraft): string {
  return `${step.run.id}/${step.id}`;
}
