import { hash } from "node:crypto";
import { createIdTable, digestOfSpan, type IdTable, isErasedAt } from "@thoughtflow/assemble";
import {
  givesWay,
  isImportedSpan,
  isSpan,
  type SessionTeller,
  sessionIdOf,
  tellerOf,
} from "@thoughtflow/dialects/spans";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { stableJson } from "@thoughtflow/schema/canonical";
import {
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
} from "@thoughtflow/semconv";
import { createDigestTable, type DigestTable } from "./digest-table.ts";
import { isCall, type ToldRun, tell, untoldRun } from "./rival-tellings.ts";

/** What a directory was told of a session before, and what is told of it now. */
export interface KnownSession {
  readonly id: string;
  /** Of its records, and whether they were told again. */
  readonly digests: DigestTable;
  /** Of bodies that were erased, how often that was said, or taken back. */
  readonly turns: Map<string, number>;
  /** By traces. */
  readonly runs: Map<string, KnownRun>;
  /** Those of which something stood there before, as far as imports told it. */
  readonly runsBefore: Set<string>;
  /** The spans that are told now with a body that is new. */
  readonly changed: Map<string, Changed>;
  /** The spans that are told now, by their ids: `HERE`, or `ELSEWHERE`. */
  readonly spans: IdTable;
  /** Of some it was said that they are told elsewhere. */
  hasCopies: boolean;
  /** The first call that is told now. */
  firstCall: FirstCall | undefined;
  /** What imports knew it by: before, or now. */
  readonly tellers: Set<SessionTeller>;
  /** All of it was erased, for ever. */
  isErased: boolean;
}

interface FirstCall {
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  /** It goes on from a call of another session: what stands before it was copied from that. */
  readonly continuesOther: boolean;
}

export interface KnownRun {
  /** What is told now. */
  readonly told: ToldRun;
  /** How many bodies of imports stand there that are not told now. */
  untold: number;
  /** Whether something was told since it was looked at, and of that something that doesn't stand there. */
  isTold: boolean;
  isChanged: boolean;
}

interface Changed {
  readonly type: SpanRecord["type"];
  readonly body: string;
}

/** Where a span is told now: in this session, or in another one, which this one has copied it from. */
const [HERE, ELSEWHERE] = [1, 2];

/** @param before All that the directory was told of it. */
export function knownSession(id: string, before: Iterable<FlowRecord>): KnownSession {
  const session: KnownSession = {
    id,
    digests: createDigestTable(),
    turns: new Map(),
    runs: new Map(),
    runsBefore: new Set(),
    changed: new Map(),
    spans: createIdTable(),
    hasCopies: false,
    firstCall: undefined,
    tellers: new Set(),
    isErased: false,
  };
  const { digests, turns } = session;
  /** The traces of erased bodies. */
  const erased = new Map<string, string>();
  for (const record of before) {
    const digest = digestOf(record);
    if (digests.isTold(digest) !== undefined) continue;
    digests.set(digest, false);
    if (isOfImport(record, session)) {
      runOf(session, record.traceId).untold++;
      session.tellers.add(tellerOf(record));
    }
    if (record.type !== "tombstone") continue;
    const { traceId, spanId, body, turn = 1 } = record;
    session.isErased ||= traceId === undefined && spanId === undefined;
    if (body === undefined) continue;
    turns.set(body, Math.max(turns.get(body) ?? 0, turn));
    if (traceId !== undefined) erased.set(body, traceId);
  }
  for (const [body, traceId] of erased)
    if (isErased(session, body) && digests.isTold(body) !== undefined)
      runOf(session, traceId).untold--;
  for (const [traceId, { untold }] of session.runs) if (untold > 0) session.runsBefore.add(traceId);
  return session;
}

/** Takes note of a record that is told now; whether an equal one is there, or a copy tells what the session's own file has told. */
export function tellAgain(session: KnownSession, record: FlowRecord): boolean {
  const { digests, changed, spans } = session;
  if (isOfImport(record, session)) {
    const teller = tellerOf(record);
    if (givesWay(teller) && session.tellers.has("file")) return true;
    session.tellers.add(teller);
  }
  const digest = digestOf(record);
  const isTold = digests.isTold(digest);
  if (isTold === false) digests.set(digest, true);
  if (isSpan(record)) {
    const run = runOf(session, record.traceId);
    tell(run.told, record);
    if (isCall(record)) session.firstCall = earlierCall(session.firstCall, record);
    spans.set(record.spanId, HERE);
    run.isTold = true;
    const stands = isTold !== undefined && !isErased(session, digest);
    if (!stands) run.isChanged = true;
    else if (isTold === false && isImportedSpan(record)) run.untold--;
    if (isTold === undefined && changed.get(keyOf(record))?.type !== "span_end")
      changed.set(keyOf(record), { type: record.type, body: digest });
  }
  return isTold !== undefined;
}

/** Another session tells it now. */
export function tellElsewhere(session: KnownSession, spanId: string): void {
  session.hasCopies = true;
  if (!isSpanTold(session, spanId)) session.spans.set(spanId, ELSEWHERE);
}

/** Whether a span is told now, in this session or in another one. */
export function isSpanTold({ spans }: KnownSession, spanId: string): boolean {
  return spans.get(spanId) !== undefined;
}

export function isSpanElsewhere({ spans }: KnownSession, spanId: string): boolean {
  return spans.get(spanId) === ELSEWHERE;
}

function earlierCall(first: FirstCall | undefined, record: SpanRecord): FirstCall {
  const start = BigInt(record.startTimeUnixNano);
  return first !== undefined && first.start <= start
    ? first
    : { start, continuesOther: continuesOther(record) };
}

/** Steps of other sessions are named with their trace. */
function continuesOther({ attributes }: SpanRecord): boolean {
  const { [ATTR_THOUGHTFLOW_DEPENDS_ON]: to, [ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES]: types } =
    attributes;
  if (!Array.isArray(to) || !Array.isArray(types)) return false;
  return to.some((step, nth) => types[nth] === "continues" && String(step).includes("/"));
}

/** Whether an import told it, of this session. */
export function isOfImport(record: FlowRecord, { id }: KnownSession): record is SpanRecord {
  return isSpan(record) && isImportedSpan(record) && sessionIdOf(record) === id;
}

export function isErased({ turns }: KnownSession, body: string): boolean {
  return isErasedAt(turns.get(body) ?? 0);
}

export function keyOf({ traceId, spanId }: Pick<SpanRecord, "traceId" | "spanId">): string {
  return `${traceId} ${spanId}`;
}

function runOf({ runs }: KnownSession, traceId: string): KnownRun {
  let run = runs.get(traceId);
  if (run === undefined) {
    run = { told: untoldRun(), untold: 0, isTold: false, isChanged: false };
    runs.set(traceId, run);
  }
  return run;
}

function digestOf(record: FlowRecord): string {
  return isSpan(record) ? digestOfSpan(record) : hash("sha256", stableJson(record));
}
