import type { FlowRecord } from "@thoughtflow/schema";
import type { ListNode } from "./content-table.ts";
import { FRAME_ENCODINGS, FRAME_TYPES, type Frame, SHA256_LENGTH } from "./frame.ts";
import type { NamedPlaces } from "./place-table.ts";
import { headOfBody } from "./record-body.ts";
import { createRecordPlaces, type Place, type RecordPlaces } from "./record-places.ts";

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
  readonly places: RecordPlaces;
}

/** By what a reader may ask for: sessions, traces, pieces and lists, each with where the body starts that tells it. */
export function namedPlacesIn({ pieces, nodes, places }: FileIndex): NamedPlaces {
  return {
    count: pieces.size + nodes.size + 2 * places.count,
    visit(take) {
      for (const [sha256, { start }] of pieces) take(sha256, start);
      for (const [id, { start }] of nodes) take(nodeName(id), start);
      for (const { traceId, sessionId, start } of places.all()) {
        if (traceId !== undefined) take(traceId, start);
        if (sessionId !== undefined) take(sessionId, start);
      }
    },
  };
}

/** What a list is called among the names of a file. */
export function nodeName(id: number): string {
  return `#${id}`;
}

export function emptyFileIndex(path: string): FileIndex {
  return {
    pieces: new Map(),
    nodes: new Map(),
    places: createRecordPlaces(path),
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
  if (frame.type === FRAME_TYPES.content) {
    const sha256 = bytes.toString("latin1", frame.bodyStart, frame.bodyStart + SHA256_LENGTH);
    file.pieces.set(sha256, { path, start, end });
    return;
  }
  const type = RECORD_TYPES.get(frame.type);
  const body = bytes.subarray(frame.bodyStart, frame.end);
  const head = type === undefined ? undefined : headOfBody(body);
  if (type === undefined || head === undefined) return;
  for (const node of head.nodes ?? []) file.nodes.set(node[0], { node, start });
  const { trace: traceId, session: sessionId } = head;
  file.places.add({ type, traceId, sessionId, isOtlp, start, end });
}
