import { erasedBodies } from "@thoughtflow/assemble";
import { isSpan } from "@thoughtflow/dialects/spans";
import {
  createJournalReader,
  type FileSystem,
  type OpenFiles,
  traceOfSession,
} from "@thoughtflow/journal";
import type { FlowRecord, TombstoneRecord } from "@thoughtflow/schema";
import type { TraceSource } from "./long-traces.ts";
import {
  createSessionOutline,
  type OutlineOptions,
  type SessionOutline,
  type Stretch,
} from "./session-outline.ts";

/** A session that stands in journals, so that it can be assembled stretch by stretch. */
export interface SessionStretches extends TraceSource {
  readonly stretches: readonly Stretch[];
  readonly outline: SessionOutline;
  /** Of bodies of its spans, which still are among the records. */
  readonly erasures: readonly TombstoneRecord[];
  /** Of all journals. */
  keepOpen(): OpenFiles;
  /** Whether other processes have recorded more of the session meanwhile. */
  hasGrown(): boolean;
}

/** Which journals are looked at, and how. */
export interface SessionStretchesOptions {
  readonly dir: string;
  /** The journal of this process, which goes on meanwhile: what comes then is written the next time. */
  readonly writer: string;
  readonly fs: FileSystem;
  readonly outline?: OutlineOptions | undefined;
}

/** `undefined` where the session is short or has to be assembled in one piece. */
export function sessionStretches(
  sessionId: string,
  { dir, writer, fs, outline: sizes }: SessionStretchesOptions,
): SessionStretches | undefined {
  let looks = 0;
  const own = createJournalReader(dir, { filter: (one) => one === writer, textsStay: true, fs });
  const others = createJournalReader(dir, {
    filter: (one) => one !== writer,
    textsStay: true,
    mustLook: () => looks++,
    fs,
  });
  own.refreshSync();
  others.refreshSync();
  const ofOwn = own.placesOfSession(sessionId);
  const ofOthers = others.placesOfSession(sessionId);
  const erasures = erasuresIn([...ofOwn.decisions, ...ofOthers.decisions]);
  if (erasures === undefined) return undefined;

  /** Its own spans need not name the session. */
  const trace = traceOfSession(sessionId);
  const isUnnamed = trace !== undefined && !ofOwn.traceIds.includes(trace);
  const named: readonly TraceSource[] = [ofOwn, ofOthers];

  function sourcesOf(traceIds: Iterable<string>): readonly TraceSource[] {
    return isUnnamed && [...traceIds].includes(trace) ? [...named, own] : named;
  }

  const source: TraceSource = {
    recordsOfTraces(traceIds, isWanted) {
      const wanted = [...traceIds];
      return sourcesOf(wanted).flatMap((one) =>
        one.recordsOfTraces(one === own ? [trace ?? ""] : wanted, isWanted),
      );
    },
    *placesOfTrace(traceId) {
      for (const one of sourcesOf([traceId])) yield* one.placesOfTrace(traceId);
    },
    *spansInTurns(traceIds) {
      for (const one of sourcesOf(traceIds))
        yield* one.spansInTurns(one === own ? new Set([trace ?? ""]) : traceIds);
    },
  };
  const outline = createSessionOutline(sizes);
  const isErased = erasedBodies(erasures) ?? (() => false);
  const traceIds = [...ofOwn.traceIds, ...ofOthers.traceIds, ...(isUnnamed ? [trace] : [])];
  for (const spans of source.spansInTurns(new Set(traceIds))) {
    for (const record of spans) if (!isSpan(record) || !isErased(record)) outline.take(record);
    if (outline.isWhole) return undefined;
  }
  const stretches = outline.stretches();
  if (stretches === undefined) return undefined;
  return {
    ...source,
    stretches,
    outline,
    erasures,
    keepOpen() {
      const files = [own, others].map((reader) => reader.keepOpen());
      return {
        close() {
          for (const one of files) one.close();
        },
      };
    },
    hasGrown() {
      others.refreshSync();
      return others.placesOfSession(sessionId).count > ofOthers.count;
    },
  };
}

/** `undefined` where something else was decided about the session. */
function erasuresIn(decisions: readonly FlowRecord[]): readonly TombstoneRecord[] | undefined {
  const erasures = decisions.filter(
    (record) => record.type === "tombstone" && record.body !== undefined,
  );
  return erasures.length < decisions.length ? undefined : (erasures as TombstoneRecord[]);
}
