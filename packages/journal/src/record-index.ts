import type { FlowRecord } from "@thoughtflow/schema";
import type { ByteReader } from "./byte-reader.ts";
import type { ListNode } from "./content-table.ts";
import {
  FRAME_ENCODINGS,
  FRAME_TYPES,
  type Frame,
  type FrameScan,
  SHA256_LENGTH,
  scanFrames,
} from "./frame.ts";
import { type ContentSource, headOfBody, recordFromBody } from "./record-body.ts";

/**
 * Where the records, texts and lists of one writer stand, over all its segments. Costs about 300 bytes of memory a
 * frame and leaves the bodies where they are.
 */
export interface RecordIndex {
  /** Takes in the frames of `bytes`, which stand at `offset` of the file; the answer tells places in the file. */
  add(path: string, bytes: Buffer, offset: number): FrameScan;
  /** Every record, in the order in which they were written. */
  records(): FlowRecord[];
  /** The spans of these traces. */
  recordsOfTraces(traceIds: Iterable<string>): FlowRecord[];
  /** The spans of every trace in which a span names the session, and what was decided about the session. */
  recordsOfSession(sessionId: string): FlowRecord[];
  sessionIds(): Iterable<string>;
}

/** Where a body stands. */
interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

interface RecordPlace extends Place {
  readonly type: FlowRecord["type"];
}

interface SessionPlaces {
  readonly traceIds: Set<string>;
  readonly decisions: RecordPlace[];
}

const RECORD_TYPES: ReadonlyMap<number, FlowRecord["type"]> = new Map([
  [FRAME_TYPES.span_start, "span_start"],
  [FRAME_TYPES.span_end, "span_end"],
  [FRAME_TYPES.session, "session"],
  [FRAME_TYPES.tombstone, "tombstone"],
]);

export function createRecordIndex(openReader: () => ByteReader): RecordIndex {
  const pieces = new Map<string, Place>();
  const nodes = new Map<number, ListNode>();
  const places: RecordPlace[] = [];
  const traces = new Map<string, RecordPlace[]>();
  const sessions = new Map<string, SessionPlaces>();

  function add(path: string, bytes: Buffer, offset: number): FrameScan {
    const scan = scanFrames(bytes, (frame) => addFrame(path, bytes, offset, frame));
    return {
      end: offset + scan.end,
      damaged: scan.damaged.map(({ start, end }) => ({ start: offset + start, end: offset + end })),
    };
  }

  function addFrame(path: string, bytes: Buffer, offset: number, frame: Frame): void {
    if (frame.encoding !== FRAME_ENCODINGS.json) return;
    const start = offset + frame.bodyStart;
    const end = offset + frame.end;
    const body = bytes.subarray(frame.bodyStart, frame.end);
    if (frame.type === FRAME_TYPES.content) {
      pieces.set(body.toString("latin1", 0, SHA256_LENGTH), { path, start, end });
      return;
    }
    const type = RECORD_TYPES.get(frame.type);
    const head = type === undefined ? undefined : headOfBody(body);
    if (type === undefined || head === undefined) return;
    for (const node of head.nodes ?? []) nodes.set(node[0], node);
    const place: RecordPlace = { path, type, start, end };
    places.push(place);
    if (head.session !== undefined) sessionPlaces(head.session, head.trace, place);
    if (head.trace !== undefined) {
      const ofTrace = traces.get(head.trace);
      if (ofTrace === undefined) traces.set(head.trace, [place]);
      else ofTrace.push(place);
    }
  }

  function sessionPlaces(sessionId: string, traceId: string | undefined, place: RecordPlace): void {
    let session = sessions.get(sessionId);
    if (session === undefined) {
      session = { traceIds: new Set(), decisions: [] };
      sessions.set(sessionId, session);
    }
    if (traceId === undefined) session.decisions.push(place);
    else session.traceIds.add(traceId);
  }

  /** Records that are read together share their texts and lists. */
  function read(wanted: Iterable<RecordPlace>): FlowRecord[] {
    const reader = openReader();
    const content = createContentSource(reader, pieces, nodes);
    const records: FlowRecord[] = [];
    for (const { path, type, start, end } of wanted) {
      const record = recordFromBody(type, reader.read(path, start, end), content);
      if (record !== undefined) records.push(record);
    }
    reader.close();
    return records;
  }

  function placesOfTraces(traceIds: Iterable<string>): RecordPlace[] {
    return [...new Set(traceIds)].flatMap((traceId) => traces.get(traceId) ?? []);
  }

  return {
    add,
    records: () => read(places),
    recordsOfTraces: (traceIds) => read(placesOfTraces(traceIds)),
    recordsOfSession(sessionId) {
      const session = sessions.get(sessionId);
      if (session === undefined) return [];
      return read([...placesOfTraces(session.traceIds), ...session.decisions]);
    },
    sessionIds: () => sessions.keys(),
  };
}

function createContentSource(
  reader: ByteReader,
  pieces: ReadonlyMap<string, Place>,
  nodes: ReadonlyMap<number, ListNode>,
): ContentSource {
  const texts = new Map<string, string>();
  const lists = new Map<number, readonly string[] | undefined>([[0, []]]);

  function piece(sha256: string): string | undefined {
    const known = texts.get(sha256);
    const place = pieces.get(sha256);
    if (known !== undefined || place === undefined) return known;
    const text = reader.read(place.path, place.start + SHA256_LENGTH, place.end).toString("utf8");
    texts.set(sha256, text);
    return text;
  }

  function list(id: number): readonly string[] | undefined {
    if (!lists.has(id)) lists.set(id, readList(id));
    return lists.get(id);
  }

  /** Walks from the last piece to the first; a node always follows the one that it names. */
  function readList(id: number): readonly string[] | undefined {
    const reversed: string[] = [];
    let at = id;
    while (at !== 0) {
      const node = nodes.get(at);
      const text = node === undefined ? undefined : piece(node[2]);
      if (node === undefined || text === undefined || node[1] >= at) return undefined;
      reversed.push(text);
      at = node[1];
    }
    return reversed.reverse();
  }

  return { piece, list };
}
