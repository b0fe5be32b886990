import type { SpanRow } from "./span-dialect.ts";

/** A row that gathers attributes in one object of a payload, each as the member that is named: `{ "<key>": { member: value, … } }`. */
export function membersPayload(
  to: string,
  key: string,
  from: Readonly<Record<string, string>>,
  when: readonly string[],
): SpanRow {
  return {
    to,
    from: Object.values(from),
    as: `JSON, together as \`${key}\``,
    when,
    read(span) {
      const members = Object.entries(from).flatMap(([member, name]): [string, unknown][] => {
        const value = span.get(name);
        return value === undefined ? [] : [[member, value]];
      });
      return members.length > 0
        ? JSON.stringify({ [key]: Object.fromEntries(members) })
        : undefined;
    },
  };
}
