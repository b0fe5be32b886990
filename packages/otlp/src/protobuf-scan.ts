import type { SpanRecord } from "@thoughtflow/schema";
import {
  type AttributeStep,
  firstStep,
  LONGEST_COMPARED,
  repeatedStep,
  stepTo,
} from "./attribute-steps.ts";
import type { RejectedSpan } from "./decoded-request.ts";
import { type Excerpt, excerptOf } from "./excerpt.ts";
import {
  areZero,
  moveTo,
  position,
  readEnd,
  readHex,
  readTag,
  readText,
  readTraceId,
  skipField,
  startReading,
} from "./forward-reader.ts";
import { readKeyValue } from "./protobuf-attributes.ts";
import { checkField, checkMessage, KEY_VALUE, SPAN } from "./protobuf-check.ts";
import { decodeSpansInBrief } from "./protobuf-decode.ts";
import { firstMessage, type ScopePlace, type SpanPlace, spanPlaces } from "./protobuf-places.ts";
import { LONGEST_IN_BRIEF } from "./protobuf-span-attributes.ts";
import { requestOf, type Stretch } from "./protobuf-split.ts";
import { idProblem } from "./span-fields.ts";

/** What of a span's attributes tells where it belongs. */
export interface SpanSigns {
  /** Names of attributes whose text is a session's id, the first one counting most. A resource says it under that one only. */
  readonly sessionNames: readonly string[];
  /** What names a session where neither the span nor its resource does so under another name. */
  readonly lastSessionName: string;
  /** Whether what stands under that name is a session's id. */
  readonly isLastSession: (id: string) => boolean;
  /** Whether the text of an attribute of that name is a session's id in some spans, and something else in others. */
  readonly isPerhapsSessionName: (name: string) => boolean;
  /** The session that a span names which has such an attribute, and nothing under the first of `sessionNames`. */
  readonly sessionOf: (record: SpanRecord) => string | undefined;
  /** Whether a span with an attribute of that name speaks of an agent. */
  readonly isFlowName: (name: string) => boolean;
}

/** A span of a request, of which nothing was decoded but where it belongs. */
export interface ScannedSpan {
  readonly place: SpanPlace;
  /** Its attributes, events and links of more than 4 KiB, which nobody reads who reads it in brief. */
  readonly long: readonly Stretch[];
  /** 32 hex digits. */
  readonly traceId: string;
  /** What it says itself, or its resource. */
  readonly sessionId: string | undefined;
  readonly isFlow: boolean;
}

export interface ScannedRequest {
  /** In the order of the request; each of them can be decoded. */
  readonly spans: readonly ScannedSpan[];
  readonly rejected: readonly RejectedSpan[];
  /** Bytes of the request. */
  readonly length: number;
  /** A request with some of the spans, nothing decoded. */
  requestOf(spans: readonly ScannedSpan[]): Excerpt;
  /** The same without attributes, events and links of more than 4 KiB, for `decodeRequestInBrief`. */
  briefRequestOf(spans: readonly ScannedSpan[]): Excerpt;
  /** The same decoded, as long as the request lies where it lay. */
  briefRecordsOf(
    spans: readonly ScannedSpan[],
    isWanted: (name: string) => boolean,
  ): readonly SpanRecord[];
}

/**
 * Looks through an `ExportTraceServiceRequest` in protobuf: it holds together to the last attribute, its ids are ids.
 * Some ten times faster than to decode it.
 *
 * @param most spans that are let in
 * @throws MalformedRequestError for bytes that are none
 * @throws TooManySpansError for more than `most` spans
 */
export function scanProtobufRequest(
  request: Uint8Array,
  signs: SpanSigns,
  most?: number,
): ScannedRequest {
  startReading(request);
  const spans: ScannedSpan[] = [];
  const rejected: RejectedSpan[] = [];
  const signOf = createSignReader(signs);
  const first = firstStep<Sign>(NO_SIGN);
  let scope: ScannedScope | undefined;
  for (const [index, place] of spanPlaces(request.length, most).entries()) {
    if (scope?.place !== place.scope) scope = scannedScope(place.scope, signOf);
    const span = scanned(place, scope, signOf, first);
    if ("code" in span) {
      rejected.push({ index, ...span });
      continue;
    }
    const sessionId = (span.isAsked ? askedFor(place) : undefined) ?? span.sessionId;
    const problem = sessionIdProblem(sessionId);
    if (problem !== undefined) rejected.push({ index, code: "id", reason: problem });
    else spans.push(span.isAsked ? { ...span, sessionId } : span);
  }

  function askedFor(place: SpanPlace): string | undefined {
    const [record] = decodeSpansInBrief(request, [place], () => true);
    return record && signs.sessionOf(record);
  }

  return {
    spans,
    rejected,
    length: request.length,
    requestOf(some) {
      // The whole request, if that is what is wanted: most come from one agent.
      if (some.length === spans.length && rejected.length === 0)
        return excerptOf(request, ({ take }) => take(0, request.length));
      return requestOf(request, some);
    },
    briefRequestOf: (some) => requestOf(request, some, ({ long }) => long),
    briefRecordsOf: (some, isWanted) =>
      decodeSpansInBrief(
        request,
        some.map(({ place }) => place),
        isWanted,
      ),
  };
}

/** Characters. Who keeps spans remembers the sessions of very many traces. */
const LONGEST_SESSION_ID = 1_024;

function sessionIdProblem(id: string | undefined): string | undefined {
  if (id === undefined || id.length <= LONGEST_SESSION_ID) return undefined;
  return `session id of ${id.length} characters: at most ${LONGEST_SESSION_ID} are taken`;
}

/** What the name of an attribute says. */
interface Sign {
  /** Of names of a session the smaller counts more; of others `NO_RANK`. */
  readonly rank: number;
  readonly isFlow: boolean;
  /** Whether it may be the name of a session, according to what else the span says. */
  readonly isPerhaps: boolean;
  /** Whether what stands there is an id. */
  readonly isId: (text: string) => boolean;
}

/** A small integer, as all ranks are: engines keep what is made for numbers of one sort. */
const NO_RANK = 3e6;
const NO_SIGN: Sign = { rank: NO_RANK, isFlow: false, isPerhaps: false, isId: () => true };
/** Of what the resource says, between the names of spans and the last. */
const RESOURCE_RANK = 1e6;
const LAST_RANK = 2e6;

type SignReader = (name: string) => Sign;

/** Names that are remembered: with a hundred thousand, as strangers may send, it takes longer to remember them than to look again. */
const MOST_KNOWN = 1_000;

function createSignReader(signs: SpanSigns): SignReader {
  const { sessionNames, lastSessionName, isPerhapsSessionName, isFlowName } = signs;
  const known = new Map<string, Sign>();

  function rankOf(name: string): number {
    if (name === lastSessionName) return LAST_RANK;
    const at = sessionNames.indexOf(name);
    return at === -1 ? NO_RANK : at;
  }

  return (name) => {
    let sign = known.get(name);
    if (sign === undefined) {
      const rank = rankOf(name);
      const isPerhaps = rank === NO_RANK && isPerhapsSessionName(name);
      const isFlow = rank === NO_RANK && isFlowName(name);
      const isId = rank === LAST_RANK ? signs.isLastSession : NO_SIGN.isId;
      sign = { rank, isFlow, isPerhaps, isId };
      if (known.size < MOST_KNOWN) known.set(name, sign);
    }
    return sign;
  };
}

/** What the attributes looked at so far say. */
interface Signs {
  rank: number;
  sessionId: string | undefined;
  isFlow: boolean;
  isPerhaps: boolean;
}

/** What the spans of a scope have in common. */
interface ScannedScope {
  readonly place: ScopePlace;
  readonly rank: number;
  readonly sessionId: string | undefined;
  readonly problem: Problem | undefined;
}

function scannedScope(place: ScopePlace, signOf: SignReader): ScannedScope {
  const { fields, resource } = place;
  const signs: Signs = { rank: NO_RANK, sessionId: undefined, isFlow: false, isPerhaps: false };
  let problem: Problem | undefined;
  try {
    const own = firstMessage(fields);
    if (own !== undefined) {
      moveTo(own.valueStart);
      checkMessage([], own.end, 0);
    }
    const { valueStart = 0, end = 0 } = firstMessage(resource.fields) ?? {};
    moveTo(valueStart);
    while (position() < end) {
      const tag = readTag(end);
      if (tag === 10) lookAtAttribute(readEnd(end), signOf, signs);
      else skipField(tag, end);
    }
  } catch (error) {
    problem = malformedBy(error);
  }
  const isNamed = signs.rank === 0;
  return {
    place,
    rank: isNamed ? RESOURCE_RANK : NO_RANK,
    sessionId: isNamed ? signs.sessionId : undefined,
    problem,
  };
}

interface LookedAtSpan extends ScannedSpan {
  /** Whether what it says of its session depends on all that it says. */
  readonly isAsked: boolean;
}

const NO_STRETCHES: readonly Stretch[] = [];

/** Tags of the fields of a span that are left out in brief when they are long. */
const ATTRIBUTE = 74;
const EVENT = 90;
const LINK = 106;

function isLeftOut(tag: number): boolean {
  return tag === ATTRIBUTE || tag === EVENT || tag === LINK;
}

function scanned(
  place: SpanPlace,
  scope: ScannedScope,
  signOf: SignReader,
  first: AttributeStep<Sign>,
): LookedAtSpan | Problem {
  if (scope.problem !== undefined) return scope.problem;
  const { rank, sessionId: shared } = scope;
  const signs: Signs = { rank, sessionId: shared, isFlow: false, isPerhaps: false };
  let traceId = "";
  let [idStart, idEnd] = [0, 0];
  let long: Stretch[] | undefined;
  let step: AttributeStep<Sign> | undefined = first;
  try {
    const { valueStart, end } = place;
    moveTo(valueStart);
    while (position() < end) {
      const start = position();
      const tag = readTag(end);
      if (tag === 10) traceId = readTraceId(readEnd(end));
      else if (tag === 18) {
        idEnd = readEnd(end);
        idStart = position();
        moveTo(idEnd);
      } else if (tag === ATTRIBUTE) step = stepOver(start, end, step, signOf, signs);
      else checkField(SPAN, tag, end, 0);
      if (position() - start > LONGEST_IN_BRIEF && isLeftOut(tag)) {
        long ??= [];
        long.push({ start, end: position() });
      }
    }
  } catch (error) {
    return malformedBy(error);
  }
  const noId = idProblem("trace id", traceId, 16) ?? spanIdProblem(idStart, idEnd);
  if (noId !== undefined) return { code: "id", reason: noId };
  const { sessionId, isFlow } = signs;
  const isAsked = signs.isPerhaps && signs.rank > 0;
  return { place, long: long ?? NO_STRETCHES, traceId, sessionId, isFlow, isAsked };
}

const SPAN_ID_BYTES = 8;

/** What is wrong with the span id that stands there: of most nothing, and nobody wants it as text. */
function spanIdProblem(start: number, end: number): string | undefined {
  if (end - start === SPAN_ID_BYTES && !areZero(start, end)) return undefined;
  moveTo(start);
  return idProblem("span id", readHex(end), SPAN_ID_BYTES);
}

/** Looks at the attribute that starts there, and whose tag was read, unless the same stood in its place before. */
function stepOver(
  start: number,
  end: number,
  from: AttributeStep<Sign> | undefined,
  signOf: SignReader,
  signs: Signs,
): AttributeStep<Sign> | undefined {
  const again = from && repeatedStep(from, start, end);
  if (again !== undefined && again.value.rank >= signs.rank && !again.value.isPerhaps) {
    if (again.value.isFlow) signs.isFlow = true;
    moveTo(start + again.length);
    return again;
  }
  const name = lookAtAttribute(readEnd(end), signOf, signs);
  // What is too long to be seen again may as well be missing in the next span.
  if (position() - start > LONGEST_COMPARED) return from;
  return from && stepTo(from, name, signOf(name), start, position());
}

type Problem = Omit<RejectedSpan, "index">;

function malformedBy(error: unknown): Problem {
  return { code: "malformed", reason: error instanceof Error ? error.message : String(error) };
}

/** The name of the attribute that ends there. */
function lookAtAttribute(end: number, signOf: SignReader, signs: Signs): string {
  const start = position();
  checkMessage(KEY_VALUE, end, 0);
  moveTo(start);
  const name = keyBefore(end);
  const { rank, isFlow, isPerhaps, isId } = signOf(name);
  if (isFlow) signs.isFlow = true;
  if (rank < signs.rank || isPerhaps) {
    moveTo(start);
    readKeyValue(end, (_key, value) => {
      if (typeof value !== "string" || value === "") return;
      if (isPerhaps) signs.isPerhaps = true;
      if (rank >= signs.rank || !isId(value)) return;
      signs.rank = rank;
      signs.sessionId = value;
    });
  }
  moveTo(end);
  return name;
}

function keyBefore(end: number): string {
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) return readText(readEnd(end));
    skipField(tag, end);
  }
  return "";
}
