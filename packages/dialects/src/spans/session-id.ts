import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_CONVERSATION_ID, ATTR_SESSION_ID } from "@thoughtflow/semconv";
import { isOwnSpan } from "./neutral-span.ts";
import { isResponseId } from "./readers.ts";
import type { SpanDialect, SpanRow } from "./span-dialect.ts";
import { SPAN_DIALECTS } from "./span-dialects.ts";
import { spanView } from "./span-view.ts";
import { isAgentAttribute, spokenDialects } from "./spoken-dialects.ts";

const ROWS: ReadonlyMap<SpanDialect, readonly SpanRow[]> = new Map(
  SPAN_DIALECTS.map((dialect) => [
    dialect,
    dialect.rows.filter(({ to }) => to === ATTR_SESSION_ID),
  ]),
);

const DIALECT_NAMES: ReadonlySet<string> = new Set(
  [...ROWS.values()].flat().flatMap(({ from }) => from),
);

/**
 * The attributes that name a session whatever else a span says, the first one counting most. A resource says it under that
 * one only.
 */
export const SESSION_NAMES: readonly string[] = [
  ...new Set([ATTR_SESSION_ID, ...[...DIALECT_NAMES].filter(isAgentAttribute)]),
];

/** What names a session where nothing else on a span or its resource does. */
export const LAST_SESSION_NAME: string = ATTR_GEN_AI_CONVERSATION_ID;

/** Whether what stands under that name is a conversation's: Microsoft's agents write the id of the response before there. */
export function isConversationId(id: string): boolean {
  return !isResponseId(id);
}

/** Whether an attribute of that name is a session's id in the spans of one dialect alone, as `thread.id` is in Codex. */
export function isSessionNameOfDialect(name: string): boolean {
  return DIALECT_NAMES.has(name) && !SESSION_NAMES.includes(name);
}

/** The session that a span names, in whichever dialect, or its resource; `undefined` when neither does. */
export function sessionIdOf(record: SpanRecord): string | undefined {
  return (
    textIn(record.attributes, ATTR_SESSION_ID) ??
    dialectSession(record) ??
    neutralSessionIdOf(record)
  );
}

/** The same of a span that is in ThoughtFlow's own words already. */
export function neutralSessionIdOf({ attributes, resource }: SpanRecord): string | undefined {
  const said = textIn(attributes, ATTR_SESSION_ID) ?? textIn(resource, ATTR_SESSION_ID);
  if (said !== undefined) return said;
  const last = textIn(attributes, LAST_SESSION_NAME);
  return last !== undefined && isConversationId(last) ? last : undefined;
}

function dialectSession(record: SpanRecord): string | undefined {
  if (isOwnSpan(record)) return undefined;
  const rows = spokenDialects(record).flatMap((dialect) => ROWS.get(dialect) ?? []);
  if (rows.length === 0) return undefined;
  const span = spanView(record);
  for (const { read } of rows) {
    const id = read(span);
    if (typeof id === "string" && id !== "") return id;
  }
  return undefined;
}

function textIn(attributes: Attributes, name: string): string | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
