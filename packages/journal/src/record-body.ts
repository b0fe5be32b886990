import { isSpan, sessionIdOf } from "@thoughtflow/dialects/spans";
import { decodeProtobufRequest } from "@thoughtflow/otlp";
import type {
  Attributes,
  ContentAttributes,
  ContentList,
  FlowRecord,
  SpanRecord,
  StoredText,
} from "@thoughtflow/schema";
import { fromJson, toJson } from "@thoughtflow/schema/plain-json";
import { isText, textOf } from "@thoughtflow/schema/stored-text";
import type { ContentTable, ListNode } from "./content-table.ts";
import { isDecision, isObject, isSpanRecord } from "./sound-record.ts";

/**
 * A record's body is two lines of JSON: what an index needs, then the record. Content is told by reference: text
 * as it is when short, else the SHA-256 of a piece, lists by number.
 */
export interface RecordHead {
  readonly trace?: string | undefined;
  readonly session?: string | undefined;
  readonly nodes?: readonly ListNode[] | undefined;
}

/** A list's id, a piece's hash, or the text itself. */
type ContentReference = number | { readonly sha256: string } | string;

/** Where a reader finds what a record refers to. */
export interface ContentSource {
  piece(sha256: string): string | StoredText | undefined;
  list(id: number): ContentList | readonly string[] | undefined;
  /** What a piece says of a process, for all its records. */
  resource(sha256: string): Attributes;
  /** An equal text, or object of a few texts, perhaps that of an earlier record: most repeat themselves. */
  shared(value: unknown): unknown;
}

/** Shorter texts are not worth a reference. */
const INLINE = 128;

const resourceTexts = new WeakMap<object, string>();

/** In texts that stand one behind the other. */
export function bodyOfRecord(record: FlowRecord, table: ContentTable): readonly string[] {
  if (isSpan(record)) return bodyOfSpan(record, table);
  const { type: _, ...rest } = record;
  const head: RecordHead = { session: record.sessionId };
  return [toJson(head), "\n", toJson(rest)];
}

function bodyOfSpan(record: SpanRecord, table: ContentTable): readonly string[] {
  const body = toJson({
    ...record,
    // The frame and its head tell them.
    type: undefined,
    traceId: undefined,
    resource: table.piece("resource", resourceText(record.resource)),
    content: record.content && referencesTo(record.content, table),
  });
  const nodes = table.takeNodes();
  const head: RecordHead = {
    trace: record.traceId,
    session: sessionIdOf(record),
    nodes: nodes.length > 0 ? nodes : undefined,
  };
  return [toJson(head), "\n", body];
}

/** In a copy of the content, so that any name is one like any other. */
function referencesTo(content: ContentAttributes, table: ContentTable): object {
  const references: Record<string, ContentAttributes[string] | ContentReference> = { ...content };
  for (const name of Object.keys(references)) {
    const value = content[name];
    if (value !== undefined) references[name] = referenceTo(value, name, table);
  }
  return references;
}

function referenceTo(
  value: ContentAttributes[string],
  name: string,
  table: ContentTable,
): ContentReference {
  if (!isText(value)) return table.list(value);
  const text = textOf(value);
  return text.length <= INLINE ? text : { sha256: table.piece(name, text) };
}

/** A process has one resource object, so it is made text once. */
function resourceText(resource: object): string {
  let text = resourceTexts.get(resource);
  if (text === undefined) {
    text = toJson(resource);
    resourceTexts.set(resource, text);
  }
  return text;
}

/** The first line of a body; `undefined` when it is no head. */
export function headOfBody(body: Buffer): RecordHead | undefined {
  const end = body.indexOf(0x0a);
  const head = parsed(body.toString("utf8", 0, end === -1 ? body.length : end));
  if (!isObject(head)) return undefined;
  const { trace, session, nodes } = head;
  return {
    ...(typeof trace === "string" && { trace }),
    ...(typeof session === "string" && { session }),
    ...(Array.isArray(nodes) && { nodes: nodes.filter(isListNode) }),
  };
}

/** They count from 1, and 0 is the empty list. */
function isListId(value: unknown): boolean {
  return typeof value === "number" && value >>> 0 === value;
}

function isListNode(value: unknown): value is ListNode {
  return (
    Array.isArray(value) && isListId(value[0]) && isListId(value[1]) && typeof value[2] === "string"
  );
}

/**
 * The record that a body tells; `undefined` when it is none. Content that can't be found is left out. `traceId` is what
 * its head says.
 */
export function recordFromBody(
  type: FlowRecord["type"],
  traceId: string | undefined,
  body: Buffer,
  source: ContentSource,
): FlowRecord | undefined {
  const end = body.indexOf(0x0a);
  const rest = end === -1 ? undefined : parsed(body.toString("utf8", end + 1));
  if (!isObject(rest)) return undefined;
  if (type === "session" || type === "tombstone") {
    return isDecision(type, rest) ? ({ type, ...rest } as FlowRecord) : undefined;
  }
  // Made for this, and so it becomes the record: of a large session there may be a hundred thousand.
  const record: Record<string, unknown> = rest;
  const { resource, content } = record;
  record["type"] = type;
  record["traceId"] = traceId;
  for (const name of REPEATED)
    if (record[name] !== undefined) record[name] = source.shared(record[name]);
  for (const name of ["events", "links"]) if (isEmpty(record[name])) record[name] = NONE;
  shareTexts(record["attributes"], source);
  record["resource"] = typeof resource === "string" ? source.resource(resource) : {};
  if (isObject(content)) record["content"] = contentFrom(content, source);
  else delete record["content"];
  return isSpanRecord(record) ? record : undefined;
}

/** What many spans have in common. */
const REPEATED = ["parentSpanId", "name", "kind", "status", "scope"] as const;

/**
 * The spans of a body that holds them as they came over the wire; none where it is damaged. `textAt` stands for texts by
 * where they lie in the body.
 */
export function spansOfBody(
  body: Buffer,
  textAt?: (start: number, end: number) => StoredText,
): readonly SpanRecord[] {
  const start = body.indexOf(0x0a) + 1;
  const options = textAt && {
    textAt: (from: number, to: number) => textAt(start + from, start + to),
  };
  try {
    return decodeProtobufRequest(body.subarray(start), options).records;
  } catch {
    return [];
  }
}

const NONE: readonly never[] = [];

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** What records say again and again is in memory once. */
function shareTexts(values: unknown, source: ContentSource): void {
  if (!isObject(values)) return;
  const texts: Record<string, unknown> = values;
  for (const name in values)
    if (typeof values[name] === "string") texts[name] = source.shared(values[name]);
}

/** Of a process, from the text of a piece. */
export function resourceFrom(text: string): Attributes {
  const resource = parsed(text);
  return isObject(resource) ? (resource as Attributes) : {};
}

/** In the references' own object: each becomes what it refers to. */
function contentFrom(
  references: Readonly<Record<string, unknown>>,
  source: ContentSource,
): ContentAttributes {
  const content: Record<string, unknown> = references;
  for (const name of Object.keys(references)) {
    const found = resolved(references[name], source);
    if (found === undefined) delete content[name];
    else content[name] = found;
  }
  return content as ContentAttributes;
}

function resolved(
  reference: unknown,
  source: ContentSource,
): ContentAttributes[string] | undefined {
  if (typeof reference === "string") return reference;
  if (typeof reference === "number") return source.list(reference);
  const sha256 = isObject(reference) ? reference["sha256"] : undefined;
  return typeof sha256 === "string" ? source.piece(sha256) : undefined;
}

function parsed(text: string): unknown {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
}
