import type { SpanRecord } from "@thoughtflow/schema";
import { CONTENT_ATTRIBUTES } from "@thoughtflow/semconv";
import { isEventMessage } from "./event-messages.ts";
import { isOwnSpan } from "./neutral-span.ts";
import { SPAN_NAME, type SpanDialect } from "./span-dialect.ts";
import { SPAN_DIALECTS } from "./span-dialects.ts";
import { spokenDialects } from "./spoken-dialects.ts";

interface ContentNames {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

const CONTENT: ReadonlyMap<SpanDialect, ContentNames> = new Map(
  SPAN_DIALECTS.map((dialect) => {
    const rows = dialect.rows.filter(({ to }) => CONTENT_ATTRIBUTES.has(to));
    const names = rows.flatMap(({ from }) => from).filter((name) => name !== SPAN_NAME);
    const lists = rows.filter(({ isList }) => isList).flatMap(({ from }) => from);
    return [dialect, { names: new Set(names), prefixes: lists.map((name) => `${name}.`) }];
  }),
);

/**
 * A span of another emitter without what people, models and tools said, as far as its dialects tell where that stands: the
 * attributes that are read as content, and the members of events that are messages. Our own spans come back as they are.
 */
export function withoutContent(record: SpanRecord): SpanRecord {
  if (isOwnSpan(record)) return record;
  const spoken = spokenDialects(record).flatMap((dialect) => CONTENT.get(dialect) ?? []);
  if (spoken.length === 0) return record;
  const isContent = (name: string): boolean =>
    spoken.some(
      ({ names, prefixes }) => names.has(name) || prefixes.some((start) => name.startsWith(start)),
    );
  const kept = Object.entries(record.attributes).filter(([name]) => !isContent(name));
  return {
    ...record,
    attributes: Object.fromEntries(kept),
    events: record.events.map((event) =>
      isEventMessage({ "event.name": event.name }) || isContent(event.name)
        ? { ...event, attributes: {} }
        : event,
    ),
  };
}
