import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_SESSION_ID } from "@thoughtflow/semconv";
import { isOwnSpan } from "./neutral-span.ts";
import type { SpanDialect, SpanRow } from "./span-dialect.ts";
import { SPAN_DIALECTS } from "./span-dialects.ts";
import { spanView } from "./span-view.ts";
import { spokenDialects } from "./spoken-dialects.ts";

const ROWS: ReadonlyMap<SpanDialect, readonly SpanRow[]> = new Map(
  SPAN_DIALECTS.map((dialect) => [
    dialect,
    dialect.rows.filter(({ to }) => to === ATTR_SESSION_ID),
  ]),
);

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
