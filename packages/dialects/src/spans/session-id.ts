import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_CONVERSATION_ID, ATTR_SESSION_ID } from "@thoughtflow/semconv";
import { isOwnSpan } from "./neutral-span.ts";
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

/**
 * The attributes that name a session whatever else a span says, the first one counting most. Names that mean that in one
 * dialect alone (`thread.id`) are not among them.
 */
export const SESSION_NAMES: readonly string[] = [
  ...new Set([
    ATTR_SESSION_ID,
    ATTR_GEN_AI_CONVERSATION_ID,
    ...[...ROWS.values()]
      .flat()
      .flatMap(({ from }) => from)
      .filter(isAgentAttribute),
  ]),
];

/** The session that a span names, in whichever dialect; `undefined` when it names none. */
export function sessionIdOf(record: SpanRecord): string | undefined {
  const { attributes } = record;
  const own = Object.hasOwn(attributes, ATTR_SESSION_ID) ? attributes[ATTR_SESSION_ID] : undefined;
  if (typeof own === "string" && own !== "") return own;
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
