import { agree, isOwnSpan } from "@thoughtflow/dialects/spans";
import { ATTR_GEN_AI_RESPONSE_ID, ATTR_THOUGHTFLOW_OUTER_SPAN_ID } from "@thoughtflow/semconv";
import { createAttempts } from "./call-attempts.ts";
import { callsBeside } from "./calls-beside.ts";
import type { ContentReader } from "./content-reader.ts";
import type { History } from "./history.ts";
import { type SpanNode, textAttribute } from "./span-node.ts";
import { createStandIns } from "./stand-ins.ts";
import type { StepDraft } from "./step-draft.ts";

const CALLS: ReadonlySet<string> = new Set(["assistant_call", "embedding"]);
/** What is called in there is another call. */
const BETWEEN: ReadonlySet<string> = new Set(["agent", "tool_call"]);

/**
 * Counts what several instrumentations report of one model call once: where the inner span knows its tokens, those and their
 * cost are the call's, else the outer span's. Attempts inside of one call are each counted, and it is none besides. The sums that agents
 * and chains repeat of the calls inside are no tokens of their own.
 *
 * @returns the steps that tell nothing which another step of the same call doesn't
 */
export function countOnce(
  recorded: readonly StepDraft[],
  content: ContentReader,
): ReadonlySet<StepDraft> {
  const told = new Set<StepDraft>();
  const steps = new Map<SpanNode, StepDraft>();
  for (const step of recorded) steps.set(step.span, step);
  /** Made when the first call names one. */
  let bySpan: ReadonlyMap<string, StepDraft> | undefined;
  const namedBy = (step: StepDraft, spanId: string): StepDraft | undefined => {
    bySpan ??= new Map(recorded.map((one) => [keyOf(one, one.span.record.spanId), one]));
    return bySpan.get(keyOf(step, spanId));
  };
  const calls = recorded.filter((step) => CALLS.has(step.label));
  const beside = callsBeside(calls, content);
  const attempts = createAttempts();
  const telling = createStandIns();
  const counting = createStandIns();
  for (const step of calls) {
    const given = textAttribute(step.span.record, ATTR_THOUGHTFLOW_OUTER_SPAN_ID);
    const inside = given === undefined ? callAround(step, steps) : namedBy(step, given);
    const outer = inside ?? (given === undefined ? beside.get(step) : undefined);
    step.outerSpanId = given;
    const around = outer && attempts.add(step, outer, inside === undefined);
    // A circle of calls that each name the next ends where it closes: one of them stands in no other.
    if (outer !== undefined) step.outerSpanId = around?.step.span.record.spanId;
    if (around === undefined || around.isAnother) continue;
    telling.join(step, around.step, (inner, outside) => {
      const [outer, own] = [messagesOf(outside, content), messagesOf(inner, content)];
      // Of two that say as much ours is the one whose steps others name.
      const isOuterKept = outer > own || (outer === own && isOwnSpan(outside.span.record));
      const other = isOuterKept ? inner : outside;
      told.add(other);
      return other;
    });
    counting.join(step, around.step, countOne);
  }
  for (const [outer, others] of attempts.others()) {
    const counted = counting.of(outer);
    const haveUsage = others.some((attempt) => counting.of(attempt).usage !== undefined);
    if (haveUsage && !attempts.isInside(counted, outer)) notCounted(counted);
  }
  dropSums(recorded, steps);
  return told;
}

/** Counts one of two; gives the other. */
function countOne(inner: StepDraft, outer: StepDraft): StepDraft {
  const counted = inner.usage === undefined && outer.usage !== undefined ? outer : inner;
  const other = counted === outer ? inner : outer;
  notCounted(other);
  return other;
}

function notCounted(step: StepDraft): void {
  step.usage = undefined;
  step.cost = undefined;
}

/**
 * The call that a call of another instrumentation stands in, and of ours the one of another. Ours below ours is the app's own,
 * and so is any other below ours that has another answer.
 */
function callAround(
  { span, label, usage }: StepDraft,
  steps: ReadonlyMap<SpanNode, StepDraft>,
): StepDraft | undefined {
  for (let at = span.parent; at !== undefined; at = at.parent) {
    const step = steps.get(at);
    if (step === undefined) continue;
    if (BETWEEN.has(step.label)) return undefined;
    if (step.label !== label) continue;
    if (!isOwnSpan(at.record)) return step;
    return !isOwnSpan(span.record) && hasSameAnswer({ span, usage }, step) ? step : undefined;
  }
  return undefined;
}

/** As far as both tell of it. */
function hasSameAnswer(one: Pick<StepDraft, "span" | "usage">, other: StepDraft): boolean {
  const ids = [one, other].map(({ span }) => textAttribute(span.record, ATTR_GEN_AI_RESPONSE_ID));
  const counts = [one, other].map(({ usage }) => usage);
  return (
    agree(ids[0], ids[1]) &&
    agree(counts[0]?.input_tokens, counts[1]?.input_tokens) &&
    agree(counts[0]?.output_tokens, counts[1]?.output_tokens)
  );
}

/** How many messages a step tells of; some instrumentations write all of them as one text. */
function messagesOf({ span }: StepDraft, content: ContentReader): number {
  const { input, output = [], structure } = content.modelCall(span.record);
  const given = input === undefined ? (structure?.input.length ?? 0) : lengthOf(input);
  return given + (output.length || (structure?.output.length ?? 0));
}

function lengthOf(history: History): number {
  let length = 0;
  for (let at: History | undefined = history; at !== undefined; at = at.before)
    if (at.message !== undefined) length++;
  return length;
}

function dropSums(recorded: readonly StepDraft[], steps: ReadonlyMap<SpanNode, StepDraft>): void {
  if (!recorded.some((step) => step.usage !== undefined && !CALLS.has(step.label))) return;
  const seen = new Set<SpanNode>();
  for (const { span, label, usage } of recorded) {
    if (usage === undefined || !CALLS.has(label)) continue;
    for (let at = span.parent; at !== undefined && !seen.has(at); at = at.parent) {
      seen.add(at);
      const step = steps.get(at);
      if (step === undefined || CALLS.has(step.label)) continue;
      notCounted(step);
    }
  }
}

function keyOf({ span }: StepDraft, spanId: string): string {
  return `${span.record.traceId}/${spanId}`;
}
