import { agree, isOwnSpan } from "@thoughtflow/dialects/spans";
import { ATTR_GEN_AI_RESPONSE_ID, ATTR_THOUGHTFLOW_OUTER_SPAN_ID } from "@thoughtflow/semconv";
import { callsBeside } from "./calls-beside.ts";
import type { ContentReader } from "./content-reader.ts";
import type { History } from "./history.ts";
import { type SpanNode, textAttribute } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

const CALLS: ReadonlySet<string> = new Set(["assistant_call", "embedding"]);
/** What is called in there is another call. */
const BETWEEN: ReadonlySet<string> = new Set(["agent", "tool_call"]);

/**
 * Counts what two instrumentations report of one model call once: where the inner span knows its tokens, those and their
 * cost are the call's, else the outer span's. The sums that agents and chains repeat of the calls inside are no tokens of
 * their own.
 *
 * @returns the steps that tell nothing which another step of the same call doesn't
 */
export function countOnce(
  recorded: readonly StepDraft[],
  content: ContentReader,
): ReadonlySet<StepDraft> {
  const told = new Set<StepDraft>();
  const steps = new Map(recorded.map((step) => [step.span, step]));
  /** Made when the first call names one. */
  let bySpan: ReadonlyMap<string, StepDraft> | undefined;
  const namedBy = (step: StepDraft, spanId: string): StepDraft | undefined => {
    bySpan ??= new Map(recorded.map((one) => [keyOf(one, one.span.record.spanId), one]));
    return bySpan.get(keyOf(step, spanId));
  };
  const calls = recorded.filter((step) => CALLS.has(step.label));
  const beside = callsBeside(calls, content);
  const inmost = createStandIns();
  const telling = createStandIns();
  const counting = createStandIns();
  for (const step of calls) {
    const given = textAttribute(step.span.record, ATTR_THOUGHTFLOW_OUTER_SPAN_ID);
    const outer =
      given === undefined ? (callAround(step, steps) ?? beside.get(step)) : namedBy(step, given);
    step.outerSpanId = given;
    // What others have told already goes no round: one of them has none inside.
    if (outer === undefined || inmost.of(step) === inmost.of(outer)) continue;
    // Of several inside of one each is inside of the one before: one of them all has none inside.
    step.outerSpanId = inmost.of(outer).span.record.spanId;
    inmost.join(step, outer, (_, around) => around);
    telling.join(step, outer, (inner, around) => {
      const [outside, inside] = [messagesOf(around, content), messagesOf(inner, content)];
      // Of two that say as much ours is the one whose steps others name.
      const isOuterKept = outside > inside || (outside === inside && isOwnSpan(around.span.record));
      const other = isOuterKept ? inner : around;
      told.add(other);
      return other;
    });
    counting.join(step, outer, countOne);
  }
  dropSums(recorded, steps);
  return told;
}

/** Counts one of two; gives the other. */
function countOne(inner: StepDraft, outer: StepDraft): StepDraft {
  const counted = inner.usage === undefined && outer.usage !== undefined ? outer : inner;
  const other = counted === outer ? inner : outer;
  other.usage = undefined;
  other.cost = undefined;
  return other;
}

/** Of several steps of one call, one stands for the others, in whatever order they are found to be the same. */
function createStandIns() {
  const standIns = new Map<StepDraft, StepDraft>();
  const of = (step: StepDraft): StepDraft => {
    let at = step;
    for (let next = standIns.get(at); next !== undefined; next = standIns.get(at)) at = next;
    return at;
  };
  return {
    of,
    /** @param decide gives the one of both that the other stands for from now on */
    join(
      inner: StepDraft,
      outer: StepDraft,
      decide: (inner: StepDraft, outer: StepDraft) => StepDraft,
    ): void {
      const [one, other] = [of(inner), of(outer)];
      if (one === other) return;
      const left = decide(one, other);
      standIns.set(left, left === one ? other : one);
    },
  };
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
      step.usage = undefined;
      step.cost = undefined;
    }
  }
}

function keyOf({ span }: StepDraft, spanId: string): string {
  return `${span.record.traceId}/${spanId}`;
}
