import {
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
  isToolCallPart,
  wordsOf,
} from "@thoughtflow/semconv";
import { briefKey } from "./brief-key.ts";
import type { ContentReader } from "./content-reader.ts";
import { createOpenCalls, type WatchedCall } from "./open-calls.ts";
import { tokensKey } from "./same-moment.ts";
import { textAttribute } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

/**
 * Model calls that two instrumentations report beside one another, each in a span of its own: the one by the other that it
 * happened in. Told by the answer's id; where one of them doesn't know it, by the place, the time and what was said.
 */
export function callsBeside(
  calls: readonly StepDraft[],
  content: ContentReader,
): ReadonlyMap<StepDraft, StepDraft> {
  const [first] = calls;
  if (first === undefined || calls.every((step) => isOfSameScope(step, first))) return NONE;
  return withResponses(sameMoments(unpaired(calls), content), sameResponses(calls));
}

/** What is one call with two others makes one of these, too. */
function withResponses(
  moments: ReadonlyMap<StepDraft, StepDraft>,
  responses: ReadonlyMap<StepDraft, StepDraft>,
): ReadonlyMap<StepDraft, StepDraft> {
  const both = new Map([...moments, ...responses]);
  for (const [step, first] of responses) {
    const open = moments.get(step);
    if (open === undefined || open === first) continue;
    const [earlier, later] = byTime(open, first) < 0 ? [open, first] : [first, open];
    if (!both.has(later)) both.set(later, earlier);
    else if (!both.has(earlier)) both.set(earlier, later);
  }
  return both;
}

const NONE: ReadonlyMap<StepDraft, StepDraft> = new Map();

/** Those of which no span says what else reports them. */
function unpaired(calls: readonly StepDraft[]): readonly StepDraft[] {
  const outer = calls.flatMap((step) => outerSpanOf(step) ?? []);
  if (outer.length === 0) return calls;
  const known = new Set(outer);
  return calls.filter(
    (step) => outerSpanOf(step) === undefined && !known.has(step.span.record.spanId),
  );
}

function outerSpanOf({ span }: StepDraft): string | undefined {
  return textAttribute(span.record, ATTR_THOUGHTFLOW_OUTER_SPAN_ID);
}

/** Calls of one trace with the same answer: the later by the first, and none by what stands in it, whose begin may be the same by the clock. */
function sameResponses(calls: readonly StepDraft[]): ReadonlyMap<StepDraft, StepDraft> {
  const firsts = new Map<string, StepDraft>();
  const others = new Map<StepDraft, StepDraft>();
  for (const step of calls) {
    const id = responseIdOf(step);
    if (id === undefined) continue;
    const key = `${step.span.record.traceId} ${step.label} ${id}`;
    const first = firsts.get(key);
    if (first === undefined || isAround(step, first)) firsts.set(key, step);
    else if (!isOfSameScope(step, first) && isDuring(step, first)) others.set(step, first);
  }
  return others;
}

/** Calls in the same span that are under way at once, with the same tokens and the same words: each by one of an instrumentation at most. */
function sameMoments(
  calls: readonly StepDraft[],
  content: ContentReader,
): ReadonlyMap<StepDraft, StepDraft> {
  const others = new Map<StepDraft, StepDraft>();
  for (const group of groupsOf(calls)) {
    const open = createOpenCalls(new Set(group.map(scopeOf)).size);
    for (const step of group.toSorted(byTime)) {
      const outer = open.tell(watchedCall(step, content));
      if (outer !== undefined) others.set(step, outer);
    }
  }
  return others;
}

function watchedCall(step: StepDraft, content: ContentReader): WatchedCall {
  const words = exchangedWords(step, content);
  return {
    step,
    scope: scopeOf(step),
    start: Number(step.started),
    end: Number(step.ended),
    model: textAttribute(step.span.record, ATTR_GEN_AI_REQUEST_MODEL),
    words: words === undefined ? undefined : briefKey(words),
    hasId: responseIdOf(step) !== undefined,
  };
}

/** Calls with the same tokens by the span that they stand in, where more than one instrumentation tells of such. */
function groupsOf(calls: readonly StepDraft[]): readonly (readonly StepDraft[])[] {
  const groups = new Map<string, StepDraft[]>();
  for (const step of calls) {
    const tokens = tokensKey(step.usage?.input_tokens, step.usage?.output_tokens);
    if (tokens === undefined || step.started === undefined || step.ended === undefined) continue;
    const { traceId, parentSpanId } = step.span.record;
    const key = `${traceId} ${parentSpanId} ${step.label} ${tokens}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [step]);
    else group.push(step);
  }
  return [...groups.values()].filter(([first, ...rest]) =>
    rest.some((step) => first !== undefined && !isOfSameScope(step, first)),
  );
}

/** What began first, and of what began at once what lasted longer. */
function byTime(a: StepDraft, b: StepDraft): number {
  const [start, other] = [a.started ?? 0n, b.started ?? 0n];
  if (start !== other) return start < other ? -1 : 1;
  const [end, otherEnd] = [a.ended ?? 0n, b.ended ?? 0n];
  return end === otherEnd ? 0 : end > otherEnd ? -1 : 1;
}

function isOfSameScope(one: StepDraft, other: StepDraft): boolean {
  return scopeOf(one) === scopeOf(other);
}

function scopeOf({ span }: StepDraft): string {
  return span.record.scope.name;
}

function isAround(step: StepDraft, inner: StepDraft): boolean {
  for (let at = inner.span.parent; at !== undefined; at = at.parent)
    if (at === step.span) return true;
  return false;
}

function isDuring(step: StepDraft, first: StepDraft): boolean {
  return first.ended === undefined || step.started === undefined || step.started <= first.ended;
}

/** What was said last, the words of the answer and the tools that it asks for; absent where the span doesn't tell. */
function exchangedWords({ span }: StepDraft, content: ContentReader): string | undefined {
  const { input, output } = content.modelCall(span.record);
  const asked = input?.message;
  if (asked === undefined || output === undefined) return undefined;
  return [asked, ...output]
    .flatMap(({ parts }) => [
      wordsOf(parts),
      ...parts.filter(isToolCallPart).map(({ name }) => name),
    ])
    .join("\n");
}

function responseIdOf({ span }: StepDraft): string | undefined {
  return textAttribute(span.record, ATTR_GEN_AI_RESPONSE_ID);
}
