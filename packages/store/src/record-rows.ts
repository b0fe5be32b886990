import { hash } from "node:crypto";
import { isSpan, sessionIdOf } from "@thoughtflow/dialects/spans";
import type { ContentAttributes, ContentList, FlowRecord } from "@thoughtflow/schema";
import { grownList, isContentList } from "@thoughtflow/schema/content-list";
import { isText, type StoredText, textOf } from "@thoughtflow/schema/stored-text";
import { columnText } from "./rows/column-values.ts";

/** One record as it lies in the store: a row of bytes. Equal records give equal rows. */
export interface RecordRow {
  /** The same record again is the same row: its trace's id, else its session's, and SHA-256 of type and body, 32 characters of each. */
  readonly digest: string;
  readonly type: FlowRecord["type"];
  /** The session that the record names; a span may name none. */
  readonly session_id: string | null;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly body: Uint8Array;
}

/** A long text, once for each scope: the session that its record names, else the trace. */
export interface PieceRow {
  readonly scope: string;
  readonly sha256: string;
  readonly body: Uint8Array;
}

/** A list of texts as the list before it and one piece more: a growing history costs each call what is new. */
export interface ListRow {
  readonly scope: string;
  readonly id: string;
  /** Absent where the list begins. */
  readonly previous: string | null;
  readonly piece: string;
}

/** What some records are in the store. */
export interface RecordRows {
  readonly records: readonly RecordRow[];
  readonly pieces: readonly PieceRow[];
  readonly lists: readonly ListRow[];
}

type ContentReference = string | { readonly piece: string } | { readonly list: string | null };

/** Shorter texts stand in the record's own row. */
const INLINE = 256;

/** Records as rows, what they share once. */
export function rowsOfRecords(records: Iterable<FlowRecord>): RecordRows {
  const pieces = new Map<string, PieceRow>();
  const lists = new Map<string, ListRow>();
  const known = new WeakMap<ContentList, Map<string, string>>();

  function piece(scope: string, text: string): string {
    const body = Buffer.from(text);
    const sha256 = sha256Of(body);
    const key = `${scope}\n${sha256}`;
    if (!pieces.has(key)) pieces.set(key, { scope, sha256, body });
    return sha256;
  }

  function grown(scope: string, previous: string | null, text: string | StoredText): string {
    const sha256 = piece(scope, textOf(text));
    const id = sha256Of(`${previous ?? ""}/${sha256}`);
    const key = `${scope}\n${id}`;
    if (!lists.has(key)) lists.set(key, { scope, id, previous, piece: sha256 });
    return id;
  }

  /** Lists share their beginnings as objects: each is looked at once. */
  function list(scope: string, given: readonly string[] | ContentList): string | null {
    if (!isContentList(given)) {
      return given.reduce<string | null>((before, text) => grown(scope, before, text), null);
    }
    const fresh: ContentList[] = [];
    let id: string | null = null;
    for (let at: ContentList | undefined = given; at !== undefined; at = at.before) {
      const told = known.get(at)?.get(scope);
      if (told !== undefined) {
        id = told;
        break;
      }
      fresh.push(at);
    }
    for (const at of fresh.reverse()) {
      id = grown(scope, id, at.last);
      const ofScopes = known.get(at) ?? new Map<string, string>();
      known.set(at, ofScopes.set(scope, id));
    }
    return id;
  }

  function reference(scope: string, value: ContentAttributes[string]): ContentReference {
    if (!isText(value)) return { list: list(scope, value) };
    const text = textOf(value);
    return text.length <= INLINE ? text : { piece: piece(scope, text) };
  }

  function row(record: FlowRecord): RecordRow {
    const { type, ...rest } = record;
    const session = sessionOf(record);
    if (!isSpan(record)) {
      const row = bytesOf(session ?? "", type, rest);
      return { ...row, session_id: session, trace_id: null, span_id: null };
    }
    const trace_id = columnText(record.traceId);
    const scope = session ?? trace_id;
    const { content } = record;
    const references =
      content &&
      Object.fromEntries(
        Object.entries(content).map(([name, value]) => [name, reference(scope, value)]),
      );
    return {
      ...bytesOf(trace_id, type, { ...rest, ...(references && { content: references }) }),
      session_id: session,
      trace_id,
      span_id: columnText(record.spanId),
    };
  }

  const rows = new Map<string, RecordRow>();
  for (const record of records) {
    const one = row(record);
    rows.set(one.digest, one);
  }
  return {
    records: [...rows.values()],
    pieces: [...pieces.values()],
    lists: [...lists.values()],
  };
}

/** What records of some scopes refer to. */
export interface StoredContents {
  readonly pieces: readonly PieceRow[];
  readonly lists: readonly ListRow[];
}

/** The records that rows stand for; content that is not there is left out. Shared beginnings are shared objects. */
export function recordsOfRows(
  rows: readonly Pick<RecordRow, "type" | "body" | "session_id" | "trace_id">[],
  { pieces, lists }: StoredContents,
): FlowRecord[] {
  const texts = new Map(
    pieces.map(({ scope, sha256, body }) => [`${scope}\n${sha256}`, Buffer.from(body).toString()]),
  );
  const nodes = new Map(lists.map((node) => [`${node.scope}\n${node.id}`, node]));
  const made = new Map<string, ContentList>();

  function list(scope: string, id: string | null): ContentList | readonly string[] {
    const missing: ListRow[] = [];
    let before: ContentList | undefined;
    for (let at = id; at !== null; ) {
      const key = `${scope}\n${at}`;
      before = made.get(key);
      if (before !== undefined) break;
      const node = nodes.get(key);
      if (node === undefined) break;
      missing.push(node);
      at = node.previous;
    }
    for (const node of missing.reverse()) {
      const text = texts.get(`${scope}\n${node.piece}`);
      if (text === undefined) continue;
      before = grownList(before, text);
      made.set(`${scope}\n${node.id}`, before);
    }
    return before ?? [];
  }

  function content(
    scope: string,
    references: Readonly<Record<string, ContentReference>>,
  ): ContentAttributes {
    const found: [string, ContentAttributes[string]][] = [];
    for (const [name, reference] of Object.entries(references)) {
      if (typeof reference === "string") found.push([name, reference]);
      else if ("list" in reference) found.push([name, list(scope, reference.list)]);
      else {
        const text = texts.get(`${scope}\n${reference.piece}`);
        if (text !== undefined) found.push([name, text]);
      }
    }
    return Object.fromEntries(found);
  }

  return rows.map(({ type, body, session_id, trace_id }) => {
    const { content: references, ...rest } = JSON.parse(Buffer.from(body).toString());
    const scope = session_id ?? trace_id ?? "";
    return { type, ...rest, ...(references && { content: content(scope, references) }) };
  });
}

/** The session that a record names itself. */
function sessionOf(record: FlowRecord): string | null {
  const named = isSpan(record) ? sessionIdOf(record) : record.sessionId;
  return named === undefined || named === "" ? null : columnText(named);
}

function bytesOf(
  scope: string,
  type: FlowRecord["type"],
  rest: object,
): Pick<RecordRow, "type" | "digest" | "body"> {
  const json = JSON.stringify(rest);
  return { type, digest: digestOf(scope, `${type}\n${json}`), body: Buffer.from(json) };
}

/** Half of it is the scope's beginning: what comes together lies together in the index, however large that is. */
function digestOf(scope: string, text: string): string {
  return [...scope.slice(0, 64)].slice(0, 32).join("") + sha256Of(text).slice(0, 32);
}

function sha256Of(text: string | Uint8Array): string {
  return hash("sha256", text);
}
