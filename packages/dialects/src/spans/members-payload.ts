import type { SpanRow } from "./span-dialect.ts";

/** A row that gathers attributes in one object of a payload: `{ "<key>": { name: value, … } }`. */
export function membersPayload(
  to: string,
  key: string,
  from: readonly string[],
  when: readonly string[],
): SpanRow {
  return {
    to,
    from,
    as: `JSON, together as \`${key}\``,
    when,
    read(span) {
      const members = from.flatMap((name): [string, unknown][] => {
        const value = span.get(name);
        return value === undefined ? [] : [[name.slice(name.lastIndexOf(".") + 1), value]];
      });
      return members.length > 0
        ? JSON.stringify({ [key]: Object.fromEntries(members) })
        : undefined;
    },
  };
}
