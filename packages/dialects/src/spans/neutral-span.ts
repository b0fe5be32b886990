import type { AttributeValue, ContentAttributes, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_THOUGHTFLOW_SESSION_TOLD_BY,
  GEN_AI_USAGE_PREFIX,
  OPERATION_CHAT,
  OPERATION_CREATE_AGENT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_FETCH_RESPONSE,
  OPERATION_GENERATE_CONTENT,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_RETRIEVAL,
  OPERATION_TEXT_COMPLETION,
} from "@thoughtflow/semconv";
import { createPlainCheck } from "./plain-span.ts";
import {
  type KindRow,
  SPAN_NAME,
  SPAN_STATUS,
  type SpanDialect,
  type SpanRow,
} from "./span-dialect.ts";
import { SPAN_DIALECTS } from "./span-dialects.ts";
import { type SpanView, spanView } from "./span-view.ts";
import { spokenDialects } from "./spoken-dialects.ts";

/** Operations of the conventions: a span that says one of them is that, whatever else it says. */
const OPERATIONS: ReadonlySet<string> = new Set([
  OPERATION_CHAT,
  OPERATION_TEXT_COMPLETION,
  OPERATION_GENERATE_CONTENT,
  OPERATION_EMBEDDINGS,
  OPERATION_RETRIEVAL,
  OPERATION_EXECUTE_TOOL,
  OPERATION_FETCH_RESPONSE,
  OPERATION_CREATE_AGENT,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
]);

const CHATS: ReadonlySet<string> = new Set([OPERATION_TEXT_COMPLETION, OPERATION_GENERATE_CONTENT]);

const OWN_SCOPE = "@thoughtflow/";
const IMPORT_SCOPE = "thoughtflow import";

/** Whether a span comes from our own instrumentation, which needs no translation. */
export function isOwnSpan({ scope }: SpanRecord): boolean {
  // A record that lay on a disk may have anything in the place of its scope.
  const name: unknown = (scope as Partial<SpanRecord["scope"]> | null | undefined)?.name;
  return typeof name === "string" && name.startsWith(OWN_SCOPE);
}

/** Whether a span was made of another program's file, in the newest conventions. */
export function isImportedSpan({ scope }: SpanRecord): boolean {
  return (scope as Partial<SpanRecord["scope"]> | null | undefined)?.name === IMPORT_SCOPE;
}

/**
 * What an import knew a session by: its own file, a copy, as a fork begins with, or what its program printed, with or without the ids by
 * which its answers are known.
 */
export type SessionTeller = "file" | "copy" | "print" | "print-without-ids";

/** Of a span that an import made. */
export function tellerOf({ resource }: SpanRecord): SessionTeller {
  const told = resource[ATTR_THOUGHTFLOW_SESSION_TOLD_BY];
  return TELLERS.find((one) => one === told) ?? "file";
}

const TELLERS: readonly SessionTeller[] = ["copy", "print", "print-without-ids"];

/** Whether what it tells gives way as a whole to the session's own file: nothing says which of that file's calls are the same. */
export function givesWay(teller: SessionTeller): boolean {
  return teller === "copy" || teller === "print-without-ids";
}

/**
 * A span of any emitter in the newest GenAI conventions: what its dialects say stands in the conventions' attributes, what
 * they don't know stays. A pure function of the record; one that speaks no dialect, or is broken, comes back as it is.
 * Never throws.
 */
export const neutralSpan: (record: SpanRecord) => SpanRecord = createNeutralSpan(() => true);

/**
 * The same for who looks at some attributes only, which is faster: the others are left out of the spans of those who speak
 * a dialect.
 *
 * @param isWanted of an attribute's name in the conventions, whether it is looked at
 */
export function createNeutralSpan(
  isWanted: (name: string) => boolean,
): (record: SpanRecord) => SpanRecord {
  const wantedRows = new Map(
    SPAN_DIALECTS.map((dialect) => [
      dialect,
      dialect.rows.filter(({ to }) => to === SPAN_STATUS || isWanted(to)),
    ]),
  );

  const isPlain = createPlainCheck(isWanted);

  function translated(record: SpanRecord): SpanRecord {
    const own = record.attributes[ATTR_GEN_AI_OPERATION_NAME];
    if (typeof own === "string" && OPERATIONS.has(own) && isPlain(record))
      return inBrief(record, isWanted);
    const dialects = spokenDialects(record);
    if (dialects.length === 0) return record;
    const span = spanView(record);
    const told = new Map<string, AttributeValue>();
    const operation = operationOf(span, dialects);
    if (operation !== "") told.set(ATTR_GEN_AI_OPERATION_NAME, operation);
    for (const dialect of dialects)
      for (const one of wantedRows.get(dialect) ?? []) tell(one, span, operation, told);
    const failure = told.get(SPAN_STATUS);
    told.delete(SPAN_STATUS);
    const attributes: Record<string, AttributeValue> = {};
    for (const name of Object.keys(record.attributes))
      if (!span.isSaid.has(name) && isWanted(name))
        setOwn(attributes, name, record.attributes[name]);
    for (const [name, value] of told) setOwn(attributes, name, value);
    const { content } = record;
    return {
      ...record,
      name: nameOf(span, dialects),
      attributes,
      ...(content !== undefined && { content: withoutTold(content, told) }),
      ...(failure !== undefined && { status: failedFor(String(failure), record.status) }),
    };
  }

  return (record) => {
    try {
      return isOwnSpan(record) || isImportedSpan(record) ? record : translated(record);
    } catch {
      return record;
    }
  };
}

function failedFor(reason: string, known: SpanRecord["status"]): SpanRecord["status"] {
  if (known.code === "error" && known.message) return known;
  return { code: "error", ...(reason !== "" && { message: reason }) };
}

function inBrief(record: SpanRecord, isWanted: (name: string) => boolean): SpanRecord {
  const names = Object.keys(record.attributes);
  if (names.every(isWanted)) return record;
  const attributes: Record<string, AttributeValue> = {};
  for (const name of names) if (isWanted(name)) setOwn(attributes, name, record.attributes[name]);
  return { ...record, attributes };
}

/** As a property of the object itself, whatever its name is: an emitter may call an attribute `__proto__`. */
function setOwn(
  attributes: Record<string, AttributeValue>,
  name: string,
  value: AttributeValue | undefined,
): void {
  if (value === undefined) return;
  if (name !== "__proto__") attributes[name] = value;
  else {
    const property = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(attributes, name, property);
  }
}

/** What was told anew from content stands among the attributes. */
function withoutTold(
  content: ContentAttributes,
  told: ReadonlyMap<string, unknown>,
): ContentAttributes {
  const names = Object.keys(content);
  if (!names.some((name) => told.has(name))) return content;
  return Object.fromEntries(
    names.filter((name) => !told.has(name)).map((name) => [name, content[name]]),
  ) as ContentAttributes;
}

function nameOf(span: SpanView, dialects: readonly SpanDialect[]): string {
  const { name } = span.record;
  for (const { nameFrom } of dialects)
    if (nameFrom?.inPlaceOf.test(name)) return span.text(nameFrom.attribute) ?? name;
  return name;
}

function operationOf(span: SpanView, dialects: readonly SpanDialect[]): string {
  const own = span.text(ATTR_GEN_AI_OPERATION_NAME);
  const isNamed = own !== undefined && OPERATIONS.has(own);
  for (const { kinds } of dialects) {
    for (const kind of kinds) {
      if (isNamed && !kind.overrules) continue;
      const means = meaningOf(kind, span, own !== undefined);
      if (means !== undefined) return means;
    }
  }
  return own ?? "";
}

/** That an attribute is there at all tells a kind only of spans that name no operation. */
function meaningOf(
  { from, means }: KindRow,
  span: SpanView,
  hasOperation: boolean,
): string | undefined {
  const value = from === SPAN_NAME ? span.record.name : span.get(from);
  if (value === undefined) return undefined;
  const key = String(value).toLowerCase();
  const meant = Object.hasOwn(means, key) ? means[key] : alike(means, key);
  if (meant === undefined) return hasOperation ? undefined : means["*"];
  if (from !== SPAN_NAME) span.said([from]);
  return meant;
}

/** By what a value begins and ends with. */
function alike(means: KindRow["means"], value: string): string | undefined {
  for (const pattern in means) {
    const [start, end] = pattern.split("*");
    if (end === undefined || pattern === "*") continue;
    if (start !== undefined && value.startsWith(start) && value.endsWith(end))
      return means[pattern];
  }
  return undefined;
}

/** One row: read where the span does not say it in the conventions' name already. */
function tell(
  { to, from, isList, isPart, when, read }: SpanRow,
  span: SpanView,
  operation: string,
  told: Map<string, AttributeValue>,
): void {
  if (when !== undefined && !when.includes(CHATS.has(operation) ? OPERATION_CHAT : operation))
    return;
  const isReread = from[0] === to;
  const isKnown = told.has(to) || (!isReread && isThere(span, to));
  const value = isKnown ? undefined : read(span);
  if (value !== undefined) told.set(to, value);
  if (isPart) return;
  if (isKnown && isList) span.said(from.map((name) => `${name}.`));
  else if (isKnown || value !== undefined) span.said(from);
}

/** Whether the span has the attribute in a form that can be used; numbers may have travelled as text. */
function isThere({ record: { attributes, content } }: SpanView, name: string): boolean {
  if (content !== undefined && Object.hasOwn(content, name)) return true;
  if (!Object.hasOwn(attributes, name)) return false;
  return !name.startsWith(GEN_AI_USAGE_PREFIX) || typeof attributes[name] === "number";
}
