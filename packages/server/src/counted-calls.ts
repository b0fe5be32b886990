import {
  briefKey,
  type CallMoment,
  type CallTeller,
  callTeller,
  isSameMoment,
  mayTellOneCall,
  tokensKey,
} from "@thoughtflow/assemble";
import { isImportedSpan, isOwnSpan } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
  GEN_AI_USAGE_PREFIX,
  INFERENCE_OPERATIONS,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";

/** Tells which model calls were not counted yet, as far as their traces are among the latest. */
export interface CountedCalls {
  /**
   * Whether a call is to be counted. A span that comes again is not; neither is one in which the same call was counted, nor what another
   * instrumentation tells of it beside that: with the same response, of the same service also in a trace of its own, or, where one of
   * them knows none, in the same span, at the same time, with the same tokens.
   */
  isNew(call: SpanRecord): boolean;
  /** Whether a span of a call that was counted before is the first to tell its tokens: those of the inmost that knows any are the call's. */
  tellsTokens(call: SpanRecord): boolean;
  /** Takes note of a span that is no call, which may stand between two spans of one. Spans come as they ended. */
  pass(span: SpanRecord): void;
}

/** Some 500 bytes each: ids that are long, whoever may send them, are kept in brief. */
const MOST_CALLS = 50_000;
/** Of calls in one span with the same tokens, which another layer may still tell of: as many as an exporter sends at once. */
const MOST_ALIKE = 512;
/** A tenth goes at once: a map that loses one entry at its front for each new one gets slow. */
const KEPT = 0.9;

/** What is called in there is another call. */
const BETWEEN: ReadonlySet<unknown> = new Set([OPERATION_INVOKE_AGENT, OPERATION_EXECUTE_TOOL]);

/** A call, whoever tells of it. */
interface ToldCall {
  /** The instrumentations that told of it. */
  readonly scopes: string[];
  /** As soon as one of them knows it. */
  answer: string | undefined;
  hasTokens: boolean;
}

/** What one instrumentation tells of a call. */
interface CountedCall extends CallMoment {
  readonly scope: string;
  readonly told: ToldCall;
  readonly isInference: boolean;
  /** The span that it stands in, and its tokens; `undefined` where it doesn't know them. */
  readonly place: string | undefined;
}

/** A call with an answer, as another trace may tell of it. */
interface AnsweredCall {
  readonly call: CountedCall;
  readonly traceId: string;
  readonly teller: CallTeller;
  /** No span is around it, nor does its instrumentation know what else tells of it. */
  readonly isOnItsOwn: boolean;
}

/** What a span is known to be before all of its trace is there. */
interface SeenSpan {
  /** It tells of this call. */
  counted?: CountedCall;
  /** It stands around this call, and so tells of it, if it is a call. */
  around?: CountedCall;
}

interface CountedTrace {
  readonly spans: Map<string, SeenSpan>;
  /** The first call with an answer, by its id. */
  readonly answers: Map<string, CountedCall>;
  /** By place the latest calls, which other instrumentations may tell of, too. */
  readonly latest: Map<string, CountedCall[]>;
  size: number;
}

export function createCountedCalls(limit: number = MOST_CALLS): CountedCalls {
  const traces = new Map<string, CountedTrace>();
  /** By answer the first call of any of these traces. */
  const firsts = new Map<string, AnsweredCall>();
  let size = 0;

  function makeRoom(): void {
    for (const [traceId, { size: ofTrace, answers }] of traces) {
      if (size <= KEPT * limit) break;
      traces.delete(traceId);
      size -= ofTrace;
      for (const answer of answers.keys())
        if (firsts.get(answer)?.traceId === traceId) firsts.delete(answer);
    }
  }

  /** Makes room for a call, or a span that tells of it again. Of traces the one with the latest goes last. */
  function latest(traceId: string): CountedTrace {
    if (size >= limit) makeRoom();
    const trace: CountedTrace = traces.get(traceId) ?? {
      spans: new Map(),
      answers: new Map(),
      latest: new Map(),
      size: 0,
    };
    traces.delete(traceId);
    traces.set(traceId, trace);
    trace.size += 1;
    size += 1;
    return trace;
  }

  return {
    isNew(span) {
      const { traceId, spanId, parentSpanId = "", attributes } = span;
      const outerSpan = attributes[ATTR_THOUGHTFLOW_OUTER_SPAN_ID] ?? parentSpanId;
      const outer = briefKey(String(outerSpan));
      const call = callOf(span);
      const known = traces.get(traceId);
      if (known !== undefined) {
        if (known.spans.get(spanId)?.counted !== undefined) return false;
        const layer = known.spans.get(spanId)?.around ?? known.spans.get(outer)?.counted;
        const other = layer ?? sameAnswer(known, call) ?? sameMoment(known, call);
        if (other !== undefined) {
          const trace = latest(traceId);
          tellAgain(trace, call, other.told);
          see(trace, spanId).counted = other;
          if (known.spans.get(outer)?.counted === undefined) standAround(trace, outer, other);
          // Another instrumentation may tell of it where this one does.
          if (layer !== undefined) remember(trace, { ...call, told: other.told });
          return false;
        }
      }
      const { answer } = call.told;
      const answered = answeredCall(span, call);
      const first = answer === undefined ? undefined : firsts.get(answer);
      const isElsewhere =
        first !== undefined && answered !== undefined && isOneCall(first, answered);
      const trace = latest(traceId);
      see(trace, spanId).counted = isElsewhere ? first.call : call;
      if (isElsewhere) return false;
      standAround(trace, outer, call);
      if (answer !== undefined && !trace.answers.has(answer)) {
        trace.answers.set(answer, call);
        if (first === undefined && answered !== undefined) firsts.set(answer, answered);
      }
      remember(trace, call);
      return true;
    },
    tellsTokens({ traceId, spanId, attributes }) {
      const told = traces.get(traceId)?.spans.get(spanId)?.counted?.told;
      if (told === undefined || told.hasTokens) return false;
      told.hasTokens = hasTokens(attributes);
      return told.hasTokens;
    },
    pass({ traceId, spanId, parentSpanId, attributes }) {
      const trace = traces.get(traceId);
      if (trace === undefined || parentSpanId === undefined) return;
      const call = trace.spans.get(spanId)?.around;
      if (call === undefined || BETWEEN.has(attributes[ATTR_GEN_AI_OPERATION_NAME])) return;
      const parent = briefKey(parentSpanId);
      const isKnown = trace.spans.get(parent)?.around !== undefined;
      standAround(isKnown ? trace : latest(traceId), parent, call);
    },
  };
}

function see({ spans }: CountedTrace, id: string): SeenSpan {
  const known = spans.get(id);
  if (known !== undefined) return known;
  const seen: SeenSpan = {};
  spans.set(id, seen);
  return seen;
}

/** Of several calls in it, it stands for one that has tokens: its own are their sum. */
function standAround(trace: CountedTrace, id: string, call: CountedCall): void {
  const seen = see(trace, id);
  if (seen.around?.told.hasTokens !== true) seen.around = call;
}

function tellAgain({ answers }: CountedTrace, call: CountedCall, told: ToldCall): void {
  told.scopes.push(call.scope);
  const { answer } = call.told;
  if (answer === undefined || told.answer !== undefined) return;
  told.answer = answer;
  if (!answers.has(answer)) answers.set(answer, { ...call, told });
}

function callOf({
  attributes,
  parentSpanId = "",
  scope,
  startTimeUnixNano,
  endTimeUnixNano,
}: SpanRecord): CountedCall {
  const answer = attributes[ATTR_GEN_AI_RESPONSE_ID] || undefined;
  const tokens = tokensKey(
    attributes[ATTR_GEN_AI_USAGE_INPUT_TOKENS],
    attributes[ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
  );
  const model = attributes[ATTR_GEN_AI_REQUEST_MODEL];
  const name = briefKey(scope.name);
  return {
    scope: name,
    told: {
      scopes: [name],
      answer: answer === undefined ? undefined : briefKey(String(answer)),
      hasTokens: hasTokens(attributes),
    },
    model: model === undefined ? undefined : briefKey(String(model)),
    isInference: INFERENCE_OPERATIONS.has(attributes[ATTR_GEN_AI_OPERATION_NAME]),
    place: tokens === undefined ? undefined : briefKey(`${parentSpanId} ${tokens}`),
    start: Number(startTimeUnixNano),
    end: Number(endTimeUnixNano),
  };
}

function hasTokens(attributes: SpanRecord["attributes"]): boolean {
  return Object.keys(attributes).some((name) => name.startsWith(GEN_AI_USAGE_PREFIX));
}

function answeredCall(span: SpanRecord, call: CountedCall): AnsweredCall | undefined {
  if (
    call.told.answer === undefined ||
    span.attributes[ATTR_GEN_AI_OPERATION_NAME] !== OPERATION_CHAT
  )
    return undefined;
  return {
    call,
    traceId: span.traceId,
    teller: callTeller(span),
    isOnItsOwn: span.parentSpanId === undefined && !isOwnSpan(span) && !isImportedSpan(span),
  };
}

/** As documents put the one that began later below the other. */
function isOneCall(one: AnsweredCall, other: AnsweredCall): boolean {
  const later = other.call.start < one.call.start ? one : other;
  return (
    later.isOnItsOwn &&
    one.traceId !== other.traceId &&
    mayTellOneCall(one.teller, other.teller) &&
    isDuring(one.call, other.call)
  );
}

/** Another instrumentation may tell of that call, too. */
function remember({ latest }: CountedTrace, call: CountedCall): void {
  if (call.place === undefined) return;
  const alike = latest.get(call.place);
  if (alike === undefined) latest.set(call.place, [call]);
  else if (alike.push(call) > MOST_ALIKE) alike.shift();
}

function sameAnswer({ answers }: CountedTrace, call: CountedCall): CountedCall | undefined {
  const { answer } = call.told;
  const first = answer === undefined ? undefined : answers.get(answer);
  return first !== undefined && isOfOtherLayer(first, call) && isDuring(first, call)
    ? first
    : undefined;
}

function sameMoment({ latest }: CountedTrace, call: CountedCall): CountedCall | undefined {
  if (call.place === undefined) return undefined;
  return latest
    .get(call.place)
    ?.find(
      (other) =>
        !other.told.scopes.includes(call.scope) &&
        isOfOtherLayer(other, call) &&
        (other.told.answer === undefined || call.told.answer === undefined) &&
        isSameMoment(other, call),
    );
}

function isOfOtherLayer(one: CountedCall, other: CountedCall): boolean {
  return one.scope !== other.scope && one.isInference === other.isInference;
}

function isDuring(one: CountedCall, other: CountedCall): boolean {
  return one.start <= other.end && other.start <= one.end;
}
