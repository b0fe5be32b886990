import type { ContentAttributes, ContentList, FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { ATTR_SESSION_ID } from "@thoughtflow/semconv";
import type { ContentTable, ListNode } from "./content-table.ts";

/**
 * A record's body is two lines of JSON: what an index needs, then the record. Content is told by reference: text
 * as it is when short, else the SHA-256 of a piece, lists by number.
 */
export interface RecordHead {
  readonly trace?: string;
  readonly session?: string;
  readonly nodes?: readonly ListNode[];
}

/** A list's id, a piece's hash, or the text itself. */
type ContentReference = number | { readonly sha256: string } | string;

/** Where a reader finds what a record refers to. */
export interface ContentSource {
  piece(sha256: string): string | undefined;
  list(id: number): ContentList | readonly string[] | undefined;
}

/** Shorter texts are not worth a reference. */
const INLINE = 128;

const resourceTexts = new WeakMap<object, string>();

export function bodyOfRecord(record: FlowRecord, table: ContentTable): string {
  if (isSpan(record)) return bodyOfSpan(record, table);
  const { type: _, ...rest } = record;
  const head: RecordHead = { session: record.sessionId };
  return `${JSON.stringify(head)}\n${JSON.stringify(rest)}`;
}

function isSpan(record: FlowRecord): record is SpanRecord {
  return record.type === "span_start" || record.type === "span_end";
}

function bodyOfSpan(record: SpanRecord, table: ContentTable): string {
  const { type: _, traceId, content, resource, ...rest } = record;
  const references = content === undefined ? undefined : referencesTo(content, table);
  const body = JSON.stringify({
    ...rest,
    resource: table.piece("resource", resourceText(resource)),
    content: references,
  });
  const session = record.attributes[ATTR_SESSION_ID];
  const nodes = table.takeNodes();
  const head: RecordHead = {
    trace: traceId,
    ...(typeof session === "string" && { session }),
    ...(nodes.length > 0 && { nodes }),
  };
  return `${JSON.stringify(head)}\n${body}`;
}

function referencesTo(
  content: ContentAttributes,
  table: ContentTable,
): Record<string, ContentReference> {
  const references: [string, ContentReference][] = [];
  for (const [name, text] of Object.entries(content)) {
    if (typeof text !== "string") references.push([name, table.list(text)]);
    else
      references.push([name, text.length <= INLINE ? text : { sha256: table.piece(name, text) }]);
  }
  return Object.fromEntries(references);
}

/** A process has one resource object, so it is made text once. */
function resourceText(resource: object): string {
  let text = resourceTexts.get(resource);
  if (text === undefined) {
    text = JSON.stringify(resource);
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

function isListNode(value: unknown): value is ListNode {
  return (
    Array.isArray(value) &&
    typeof value[0] === "number" &&
    typeof value[1] === "number" &&
    typeof value[2] === "string"
  );
}

/** The record that a body tells; `undefined` when it is none. Content that can't be found is left out. */
export function recordFromBody(
  type: FlowRecord["type"],
  body: Buffer,
  source: ContentSource,
): FlowRecord | undefined {
  const end = body.indexOf(0x0a);
  const rest = end === -1 ? undefined : parsed(body.toString("utf8", end + 1));
  if (!isObject(rest)) return undefined;
  if (type === "session" || type === "tombstone") {
    return typeof rest["sessionId"] === "string" ? ({ type, ...rest } as FlowRecord) : undefined;
  }
  const { resource, content, ...fields } = rest;
  const record: Record<string, unknown> = {
    type,
    traceId: headOfBody(body)?.trace,
    ...fields,
    resource: typeof resource === "string" ? (parsed(source.piece(resource) ?? "{}") ?? {}) : {},
  };
  if (isObject(content)) record["content"] = contentFrom(content, source);
  return isSpanRecord(record) ? record : undefined;
}

function contentFrom(
  references: Readonly<Record<string, unknown>>,
  source: ContentSource,
): ContentAttributes {
  const content: [string, ContentAttributes[string]][] = [];
  for (const [name, reference] of Object.entries(references)) {
    const found = resolved(reference, source);
    if (found !== undefined) content.push([name, found]);
  }
  return Object.fromEntries(content);
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

/** A journal is a file that anybody may have edited: what assembly relies on is checked. */
function isSpanRecord(
  record: Readonly<Record<string, unknown>>,
): record is Record<string, unknown> & SpanRecord {
  return (
    typeof record["traceId"] === "string" &&
    typeof record["spanId"] === "string" &&
    typeof record["name"] === "string" &&
    typeof record["kind"] === "string" &&
    typeof record["startTimeUnixNano"] === "string" &&
    isObject(record["status"]) &&
    isObject(record["attributes"]) &&
    isObject(record["scope"]) &&
    Array.isArray(record["events"]) &&
    Array.isArray(record["links"])
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
