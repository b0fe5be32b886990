import {
  ATTR_THOUGHTFLOW_RUN_FINAL_STATE,
  ATTR_THOUGHTFLOW_RUN_INITIAL_STATE,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { json, payload, row } from "./readers.ts";
import type { SpanRow } from "./span-dialect.ts";
import type { SpanView } from "./span-view.ts";

/** Operations that other emitters have and the conventions don't. */
export const OPERATION_RERANK = "rerank";
export const OPERATION_EVALUATE = "evaluate";
export const OPERATION_GUARDRAIL = "guardrail";
export const OPERATION_HANDOFF = "handoff";
export const OPERATION_APPROVAL = "approval";
export const OPERATION_AGENT_STEP = "agent_step";
/** What a program does beside its agent's work: told in no step. */
export const OPERATION_MACHINERY = "machinery";

/** Operations that frame others; the empty text is "none that is known". */
const FRAMES: readonly string[] = [
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_AGENT_STEP,
  "",
];

/** Requests that are no conversation. */
const REQUESTS = [OPERATION_RERANK, OPERATION_EVALUATE, OPERATION_GUARDRAIL, OPERATION_HANDOFF];

/**
 * What goes into a frame and what comes out: of a root the states of its run, of others the payloads of their step. The
 * same of guards, judgements and re-rankings.
 */
export function ioRows(input: readonly string[], output: readonly string[]): readonly SpanRow[] {
  const steps = [...FRAMES, ...REQUESTS];
  return [
    onlyIf(isRoot, row(ATTR_THOUGHTFLOW_RUN_INITIAL_STATE, json, input, FRAMES)),
    onlyIf(isRoot, row(ATTR_THOUGHTFLOW_RUN_FINAL_STATE, json, output, FRAMES)),
    onlyIf(isNoRoot, row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("args"), input, steps)),
    onlyIf(isNoRoot, row(ATTR_THOUGHTFLOW_STEP_COMPLETED, payload("result"), output, steps)),
  ];
}

function isRoot({ record }: SpanView): boolean {
  return record.parentSpanId === undefined || record.parentIsRemote === true;
}

function isNoRoot(span: SpanView): boolean {
  return !isRoot(span);
}

/** A row that is read only of spans that are such ones. */
export function onlyIf(fits: (span: SpanView) => boolean, { read, ...rest }: SpanRow): SpanRow {
  return { ...rest, read: (span) => (fits(span) ? read(span) : undefined) };
}
