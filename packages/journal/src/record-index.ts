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
import type { NamedPlaces } from "./place-table.ts";
import { type ContentSource, headOfBody, recordFromBody } from "./record-body.ts";

/**
 * Where the records, texts and lists of one writer stand, over its segments. Costs about 300 bytes of memory a frame
 * and leaves the bodies where they are.
 */
export interface RecordIndex {
  /** Takes in the frames of `bytes`, which stand at `offset` of the file; the answer tells places in the file. */
  add(path: string, bytes: Buffer, offset: number): FrameScan;
  /** Every record, or those of one file, in the order in which they were written. */
  records(path?: string): FlowRecord[];
  /** The spans of these traces. */
  recordsOfTraces(traceIds: Iterable<string>): FlowRecord[];
  /** The spans of every trace in which a span names the session, and what was decided about the session. */
  recordsOfSession(sessionId: string): FlowRecord[];
  /** The traces in which a span names the session. */
  tracesOfSession(sessionId: string): Iterable<string>;
  sessionIds(): Iterable<string>;
  /**
   * Lets go of a file; answers what it had: sessions, traces, pieces and (as `#<id>`) lists, each with where the body
   * starts that tells it.
   */
  forget(path: string): NamedPlaces;
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

/** What one file holds. */
interface FileIndex {
  readonly pieces: Map<string, Place>;
  readonly nodes: Map<number, PlacedNode>;
  readonly places: RecordPlace[];
  readonly traces: Map<string, RecordPlace[]>;
  readonly sessions: Map<string, SessionPlaces>;
}

/**
 * @param onMissing hears the name of a piece or list that a record needs and the index has not, and may add it
 */
export function createRecordIndex(
  openReader: () => ByteReader,
  onMissing: (name: string) => void = () => {},
): RecordIndex {
  const files = new Map<string, FileIndex>();

  function add(path: string, bytes: Buffer, offset: number): FrameScan {
    const file = files.get(path) ?? emptyFileIndex();
    files.set(path, file);
    const scan = scanFrames(bytes, (frame) => addFrame(file, path, bytes, offset, frame));
    return {
      end: offset + scan.end,
      damaged: scan.damaged.map(({ start, end }) => ({ start: offset + start, end: offset + end })),
    };
  }

  /** Records that are read together share their texts and lists. */
  function read(wanted: Iterable<RecordPlace>): FlowRecord[] {
    const reader = openReader();
    const content = createContentSource(reader, files, onMissing);
    const records: FlowRecord[] = [];
    for (const { path, type, start, end } of wanted) {
      const record = recordFromBody(type, reader.read(path, start, end), content);
      if (record !== undefined) records.push(record);
    }
    reader.close();
    return records;
  }

  function placesOfTraces(traceIds: ReadonlySet<string>): RecordPlace[] {
    return [...files.values()].flatMap(({ traces }) =>
      [...traceIds].flatMap((traceId) => traces.get(traceId) ?? []),
    );
  }

  function tracesOfSession(sessionId: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { sessions } of files.values()) {
      for (const traceId of sessions.get(sessionId)?.traces.keys() ?? []) found.add(traceId);
    }
    return found;
  }

  return {
    add,
    records(path) {
      const wanted = path === undefined ? [...files.values()] : [files.get(path)];
      return read(wanted.flatMap((file) => file?.places ?? []));
    },
    recordsOfTraces: (traceIds) => read(placesOfTraces(new Set(traceIds))),
    recordsOfSession(sessionId) {
      const decisions = [...files.values()].flatMap(
        ({ sessions }) => sessions.get(sessionId)?.decisions ?? [],
      );
      return read([...placesOfTraces(tracesOfSession(sessionId)), ...decisions]);
    },
    tracesOfSession,
    sessionIds: () => new Set([...files.values()].flatMap(({ sessions }) => [...sessions.keys()])),
    forget(path) {
      const file = files.get(path);
      files.delete(path);
      return namedPlacesIn(file ?? emptyFileIndex());
    },
  };
}

function namedPlacesIn({ pieces, nodes, places, traces, sessions }: FileIndex): NamedPlaces {
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

function nodeName(id: number): string {
  return `#${id}`;
}

function emptyFileIndex(): FileIndex {
  return {
    pieces: new Map(),
    nodes: new Map(),
    places: [],
    traces: new Map(),
    sessions: new Map(),
  };
}

function addFrame(
  file: FileIndex,
  path: string,
  bytes: Buffer,
  offset: number,
  frame: Frame,
): void {
  if (frame.encoding !== FRAME_ENCODINGS.json) return;
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
  const place: RecordPlace = { path, type, start, end };
  file.places.push(place);
  if (head.session !== undefined) addToSession(file, head.session, head.trace, place);
  if (head.trace !== undefined) {
    const ofTrace = file.traces.get(head.trace);
    if (ofTrace === undefined) file.traces.set(head.trace, [place]);
    else ofTrace.push(place);
  }
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

/** The first answer that one of the files has. */
function firstOf<T>(
  files: ReadonlyMap<string, FileIndex>,
  find: (file: FileIndex) => T | undefined,
): T | undefined {
  for (const file of files.values()) {
    const found = find(file);
    if (found !== undefined) return found;
  }
  return undefined;
}

function createContentSource(
  reader: ByteReader,
  files: ReadonlyMap<string, FileIndex>,
  onMissing: (name: string) => void,
): ContentSource {
  const texts = new Map<string, string>();
  const lists = new Map<number, readonly string[] | undefined>([[0, []]]);

  function found<T>(name: string, find: (file: FileIndex) => T | undefined): T | undefined {
    const known = firstOf(files, find);
    if (known !== undefined) return known;
    onMissing(name);
    return firstOf(files, find);
  }

  function piece(sha256: string): string | undefined {
    const known = texts.get(sha256);
    if (known !== undefined) return known;
    const place = found(sha256, ({ pieces }) => pieces.get(sha256));
    if (place === undefined) return undefined;
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
      const node = found(nodeName(at), ({ nodes }) => nodes.get(at))?.node;
      const text = node === undefined ? undefined : piece(node[2]);
      if (node === undefined || text === undefined || node[1] >= at) return undefined;
      reversed.push(text);
      at = node[1];
    }
    return reversed.reverse();
  }

  return { piece, list };
}
