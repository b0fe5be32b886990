import type { FlowRecord } from "@thoughtflow/schema";
import type { ListNode } from "./content-table.ts";
import { FRAME_ENCODINGS, FRAME_TYPES, type Frame, SHA256_LENGTH } from "./frame.ts";
import type { NamedPlaces } from "./place-table.ts";
import { headOfBody } from "./record-body.ts";

/** Where a body stands. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface RecordPlace extends Place {
  readonly type: FlowRecord["type"];
  readonly traceId: string | undefined;
  /** Spans as they came over the wire: one record or several. */
  readonly isOtlp: boolean;
}

interface SessionPlaces {
  /** Each with the body of a span that names the session. */
  readonly traces: Map<string, number>;
  readonly decisions: RecordPlace[];
}

const RECORD_TYPES: ReadonlyMap<number, FlowRecord["type"]> = new Map([
  [FRAME_TYPES.span_start, "span_start"],
  [FRAME_TYPES.span_end, "span_end"],
  [FRAME_TYPES.session, "session"],
  [FRAME_TYPES.tombstone, "tombstone"],
]);

interface PlacedNode {
  readonly node: ListNode;
  readonly start: number;
}

/** What one file of a journal holds, and where. */
export interface FileIndex {
  readonly pieces: Map<string, Place>;
  readonly nodes: Map<number, PlacedNode>;
  readonly places: RecordPlace[];
  readonly traces: Map<string, RecordPlace[]>;
  readonly sessions: Map<string, SessionPlaces>;
}

/** By what a reader may ask for: sessions, traces, pieces and lists, each with where the body starts that tells it. */
export function namedPlacesIn({ pieces, nodes, places, traces, sessions }: FileIndex): NamedPlaces {
  let inSessions = 0;
  for (const session of sessions.values()) inSessions += session.traces.size;
  return {
    // A decision is one of the places.
    count: pieces.size + nodes.size + places.length + inSessions,
    visit(take) {
      for (const [sha256, { start }] of pieces) take(sha256, start);
      for (const [id, { start }] of nodes) take(nodeName(id), start);
      for (const [traceId, ofTrace] of traces)
        for (const { start } of ofTrace) take(traceId, start);
      for (const [sessionId, session] of sessions) {
        for (const start of session.traces.values()) take(sessionId, start);
        for (const { start } of session.decisions) take(sessionId, start);
      }
    },
  };
}

/** What a list is called among the names of a file. */
export function nodeName(id: number): string {
  return `#${id}`;
}

export function emptyFileIndex(): FileIndex {
  return {
    pieces: new Map(),
    nodes: new Map(),
    places: [],
    traces: new Map(),
    sessions: new Map(),
  };
}

/** Takes in a frame of `bytes`, which stand at `offset` of the file. */
export function indexFrame(
  file: FileIndex,
  path: string,
  bytes: Buffer,
  offset: number,
  frame: Frame,
): void {
  const isOtlp = frame.encoding === FRAME_ENCODINGS.otlp;
  if (frame.encoding !== FRAME_ENCODINGS.json && !isOtlp) return;
  const start = offset + frame.bodyStart;
  const end = offset + frame.end;
  const body = bytes.subarray(frame.bodyStart, frame.end);
  if (frame.type === FRAME_TYPES.content) {
    file.pieces.set(body.toString("latin1", 0, SHA256_LENGTH), { path, start, end });
    return;
  }
  const type = RECORD_TYPES.get(frame.type);
  const head = type === undefined ? undefined : headOfBody(body);
  if (type === undefined || head === undefined) return;
  for (const node of head.nodes ?? []) file.nodes.set(node[0], { node, start });
  const ofTrace = head.trace === undefined ? undefined : file.traces.get(head.trace);
  // One text for all of a trace.
  const traceId = ofTrace?.[0]?.traceId ?? head.trace;
  const place: RecordPlace = { path, type, traceId, isOtlp, start, end };
  file.places.push(place);
  if (head.session !== undefined) addToSession(file, head.session, traceId, place);
  if (ofTrace !== undefined) ofTrace.push(place);
  else if (traceId !== undefined) file.traces.set(traceId, [place]);
}

function addToSession(
  { sessions }: FileIndex,
  sessionId: string,
  traceId: string | undefined,
  place: RecordPlace,
): void {
  let session = sessions.get(sessionId);
  if (session === undefined) {
    session = { traces: new Map(), decisions: [] };
    sessions.set(sessionId, session);
  }
  if (traceId === undefined) session.decisions.push(place);
  else session.traces.set(traceId, place.start);
}
