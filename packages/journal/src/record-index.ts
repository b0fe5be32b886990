import type { Attributes, ContentList, FlowRecord, StoredText } from "@thoughtflow/schema";
import { grownList } from "@thoughtflow/schema/content-list";
import { toJson } from "@thoughtflow/schema/plain-json";
import { textOf } from "@thoughtflow/schema/stored-text";
import type { ByteReader } from "./byte-reader.ts";
import { nodeName } from "./content-places.ts";
import { emptyFileIndex, type FileIndex, indexFrame, namedPlacesIn } from "./file-index.ts";
import { type FrameScan, SHA256_LENGTH, scanFrames } from "./frame.ts";
import type { NamedPlaces } from "./place-table.ts";
import { type ContentSource, recordFromBody, resourceFrom, spansOfBody } from "./record-body.ts";
import type { RecordPlace } from "./record-places.ts";
import { StoredPiece } from "./stored-piece.ts";

/**
 * Where the records, texts and lists of one writer stand, over its segments. Costs some 30 bytes of memory a
 * record, 110 a trace and as many a session, and leaves the bodies where they are.
 */
export interface RecordIndex {
  /**
   * Takes in the frames of `bytes`, which stand at `offset` of a file that has `total` bytes; the answer tells places in
   * the file.
   */
  add(path: string, bytes: Buffer, offset: number, total?: number): FrameScan;
  /** Every record, or those of one file, in the order in which they were written. */
  records(path?: string): FlowRecord[];
  /** The spans of these traces. */
  recordsOfTraces(traceIds: Iterable<string>, isWanted?: WantsRecord): FlowRecord[];
  /** The spans of every trace in which a span names the session, and what was decided about the session. */
  recordsOfSession(sessionId: string): FlowRecord[];
  /** The traces in which a span names the session. */
  tracesOfSession(sessionId: string): Iterable<string>;
  /** Where the spans of these traces stand in one file, in the order in which they were written. */
  placesOfTraces(path: string, traceIds: ReadonlySet<string>): Iterable<RecordPlace>;
  /** Where the records of one file stand that name the session. */
  placesOfSession(path: string, sessionId: string): readonly RecordPlace[];
  /** What stands there. */
  recordsAt(places: Iterable<RecordPlace>): FlowRecord[];
  sessionIds(): Iterable<string>;
  /** Lets go of a file; answers what it had, by the names under which a reader may miss it. */
  forget(path: string): NamedPlaces;
}

/** Whether the record is asked for whose body starts there; where none is given, all are. */
export type WantsRecord = (traceId: string, path: string, start: number) => boolean;

export interface RecordIndexOptions {
  /** Hears the name of a piece or list that a record needs and the index has not, and may add it; with what reads the files. */
  readonly onMissing?: (name: string, reader: ByteReader) => void;
  /** Hears of each session when a file first names it. */
  readonly onSession?: (sessionId: string) => void;
  /** Whether the texts of a file stay there, as `StoredText`. Default: none. */
  readonly staysIn?: (path: string) => boolean;
}

export function createRecordIndex(
  openReader: () => ByteReader,
  { onMissing = () => {}, onSession = () => {}, staysIn = () => false }: RecordIndexOptions = {},
): RecordIndex {
  const files = new Map<string, FileIndex>();

  function add(
    path: string,
    bytes: Buffer,
    offset: number,
    total = offset + bytes.length,
  ): FrameScan {
    const file = files.get(path) ?? emptyFileIndex(path);
    files.set(path, file);
    const { sessionIds } = file.places;
    const known = sessionIds.length;
    const { end, damaged, next } = scanFrames(
      bytes,
      (frame) => indexFrame(file, bytes, offset, frame),
      total - offset,
    );
    for (const sessionId of sessionIds.slice(known)) onSession(sessionId);
    return {
      end: offset + end,
      damaged: damaged.map((one) => ({ start: offset + one.start, end: offset + one.end })),
      next: offset + next,
    };
  }

  /** Records that are read together share their texts and lists. */
  function read(wanted: Iterable<RecordPlace>): FlowRecord[] {
    const reader = openReader();
    const content = createContentSource(reader, files, { onMissing, staysIn });
    const records: FlowRecord[] = [];
    try {
      for (const { path, type, traceId, isOtlp, start, end } of wanted) {
        const body = reader.read(path, start, end);
        if (isOtlp) {
          const textAt = (from: number, to: number): StoredText =>
            new StoredPiece(path, start + from, start + to, reader);
          const spans = spansOfBody(body, staysIn(path) ? textAt : undefined);
          for (const record of spans) records.push(record);
          continue;
        }
        const record = recordFromBody(type, traceId, body, content);
        if (record !== undefined) records.push(record);
      }
    } finally {
      reader.close();
    }
    return records;
  }

  function wantedPlaces(traceIds: ReadonlySet<string>, isWanted?: WantsRecord): RecordPlace[] {
    return [...files].flatMap(([path, { places }]) =>
      [...traceIds].flatMap((traceId) =>
        places.ofTrace(traceId, isWanted && ((start) => isWanted(traceId, path, start))),
      ),
    );
  }

  function tracesOfSession(sessionId: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { places } of files.values())
      for (const { traceId } of places.ofSession(sessionId))
        if (traceId !== undefined) found.add(traceId);
    return found;
  }

  return {
    add,
    records(path) {
      const wanted = path === undefined ? [...files.values()] : [files.get(path)];
      return read(wanted.flatMap((file) => [...(file?.places.all() ?? [])]));
    },
    recordsOfTraces: (traceIds, isWanted) => read(wantedPlaces(new Set(traceIds), isWanted)),
    recordsOfSession(sessionId) {
      const decisions = [...files.values()].flatMap(({ places }) =>
        places.ofSession(sessionId).filter(({ traceId }) => traceId === undefined),
      );
      return read([...wantedPlaces(tracesOfSession(sessionId)), ...decisions]);
    },
    tracesOfSession,
    placesOfTraces(path, traceIds) {
      const places = files.get(path)?.places;
      const [only] = traceIds;
      // Those of one trace are known; of many, each place is looked at.
      if (traceIds.size === 1 && only !== undefined) return places?.ofTrace(only) ?? [];
      return placesWithin(places?.all() ?? [], traceIds);
    },
    placesOfSession: (path, sessionId) => files.get(path)?.places.ofSession(sessionId) ?? [],
    recordsAt: read,
    sessionIds: () => new Set([...files.values()].flatMap(({ places }) => [...places.sessionIds])),
    forget(path) {
      const file = files.get(path);
      files.delete(path);
      return namedPlacesIn(file ?? emptyFileIndex(path));
    },
  };
}

function* placesWithin(
  places: Iterable<RecordPlace>,
  traceIds: ReadonlySet<string>,
): Generator<RecordPlace> {
  for (const place of places)
    if (place.traceId !== undefined && traceIds.has(place.traceId)) yield place;
}

/** The newest file's answer: somebody may have deleted the older ones, and each new one has all that it needs. */
function newestOf<T>(
  files: ReadonlyMap<string, FileIndex>,
  find: (file: FileIndex) => T | undefined,
): T | undefined {
  let newest: T | undefined;
  for (const file of files.values()) newest = find(file) ?? newest;
  return newest;
}

/** More texts than this are not looked up whether they repeat themselves. */
const MOST_SHARED = 4096;

function createContentSource(
  reader: ByteReader,
  files: ReadonlyMap<string, FileIndex>,
  { onMissing, staysIn }: Required<Pick<RecordIndexOptions, "onMissing" | "staysIn">>,
): ContentSource {
  const texts = new Map<string, string | StoredText>();
  const resources = new Map<string, Attributes>();
  const shared = new Map<string, unknown>();
  const lists = new Map<number, ContentList | undefined>([[0, undefined]]);

  function found<T>(name: string, find: (file: FileIndex) => T | undefined): T | undefined {
    const known = newestOf(files, find);
    if (known !== undefined) return known;
    onMissing(name, reader);
    return newestOf(files, find);
  }

  function piece(sha256: string): string | StoredText | undefined {
    const known = texts.get(sha256);
    if (known !== undefined) return known;
    const place = found(sha256, ({ content }) => content.piece(sha256));
    if (place === undefined) return undefined;
    const { path, start, end } = place;
    const stored = new StoredPiece(path, start + SHA256_LENGTH, end, reader);
    const text = staysIn(path) ? stored : stored.text;
    texts.set(sha256, text);
    return text;
  }

  function resource(sha256: string): Attributes {
    const known = resources.get(sha256);
    if (known !== undefined) return known;
    const made = resourceFrom(textOf(piece(sha256) ?? "{}"));
    resources.set(sha256, made);
    return made;
  }

  /** Down to a list that is known already, which it goes on from; a node always follows the one that it names. */
  function list(id: number): ContentList | readonly string[] | undefined {
    const fresh: { readonly id: number; readonly text: string | StoredText }[] = [];
    let at = id;
    while (!lists.has(at)) {
      const node = found(nodeName(at), ({ content }) => content.node(at));
      const text = node === undefined ? undefined : piece(node[2]);
      if (node === undefined || text === undefined || node[1] >= at) return undefined;
      fresh.push({ id: at, text });
      at = node[1];
    }
    let grown = lists.get(at);
    for (const { id: next, text } of fresh.reverse()) {
      grown = grownList(grown, text);
      lists.set(next, grown);
    }
    return grown ?? [];
  }

  return {
    piece,
    list,
    resource,
    shared(value) {
      const key = typeof value === "string" ? value : toJson(value);
      const known = shared.get(key);
      if (known !== undefined && typeof known === typeof value) return known;
      if (shared.size >= MOST_SHARED) shared.clear();
      shared.set(key, value);
      return value;
    },
  };
}
