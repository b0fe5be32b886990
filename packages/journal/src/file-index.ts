import type { FlowRecord } from "@thoughtflow/schema";
import { type ContentPlaces, createContentPlaces } from "./content-places.ts";
import { FRAME_ENCODINGS, FRAME_TYPES, type Frame, SHA256_LENGTH } from "./frame.ts";
import type { NamedPlaces } from "./place-table.ts";
import { headOfBody } from "./record-body.ts";
import { createRecordPlaces, type RecordPlaces } from "./record-places.ts";

const RECORD_TYPES: ReadonlyMap<number, FlowRecord["type"]> = new Map([
  [FRAME_TYPES.span_start, "span_start"],
  [FRAME_TYPES.span_end, "span_end"],
  [FRAME_TYPES.session, "session"],
  [FRAME_TYPES.tombstone, "tombstone"],
]);

/** What one file of a journal holds, and where. */
export interface FileIndex {
  readonly content: ContentPlaces;
  readonly places: RecordPlaces;
}

/** Each record that is read by itself has its texts read by themselves: for more of them the whole file is faster. */
export const MOST_RECALLED = 500;

/**
 * By what a reader may ask for: sessions, traces, pieces and lists, each with where the body starts that tells it. Of a session that
 * takes all of the file no more places than tell that.
 */
export function namedPlacesIn({ content, places }: FileIndex): NamedPlaces {
  const most = MOST_RECALLED + 1;
  const ofSessions = Math.min(places.count, most * places.sessionIds.length);
  return {
    count: content.count + places.count + ofSessions,
    visit(take) {
      content.visit(take);
      const told = new Map<string, number>();
      for (const { traceId, sessionId, start } of places.all()) {
        if (traceId !== undefined) take(traceId, start);
        if (sessionId === undefined) continue;
        const count = (told.get(sessionId) ?? 0) + 1;
        told.set(sessionId, count);
        if (count <= most) take(sessionId, start);
      }
    },
  };
}

export function emptyFileIndex(path: string): FileIndex {
  return { content: createContentPlaces(path), places: createRecordPlaces(path) };
}

/** Takes in a frame of `bytes`, which stand at `offset` of the file. */
export function indexFrame(
  { content, places }: FileIndex,
  bytes: Buffer,
  offset: number,
  frame: Frame,
): void {
  const isOtlp = frame.encoding === FRAME_ENCODINGS.otlp;
  if (frame.encoding !== FRAME_ENCODINGS.json && !isOtlp) return;
  const start = offset + frame.bodyStart;
  const end = offset + frame.end;
  if (frame.type === FRAME_TYPES.content) {
    const sha256 = bytes.toString("latin1", frame.bodyStart, frame.bodyStart + SHA256_LENGTH);
    content.addPiece(sha256, start, end);
    return;
  }
  const type = RECORD_TYPES.get(frame.type);
  const body = bytes.subarray(frame.bodyStart, frame.end);
  const head = type === undefined ? undefined : headOfBody(body);
  if (type === undefined || head === undefined) return;
  for (const node of head.nodes ?? []) content.addNode(node, start);
  const { trace: traceId, session: sessionId } = head;
  places.add({ type, traceId, sessionId, isOtlp, start, end });
}
