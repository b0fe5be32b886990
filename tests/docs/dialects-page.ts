import { SPAN_DIALECTS, type SpanDialect } from "@thoughtflow/dialects/spans";

/** The tables of docs/dialects.md: what is read from where, one dialect after the other. */
export function dialectTables(): string {
  return SPAN_DIALECTS.map(sectionOf).join("\n");
}

function sectionOf({ name, about, signs, scopes = [], kinds, rows }: SpanDialect): string {
  const told = [...signs.map(signText), ...scopes.map((scope) => `scope \`${scope}\``)];
  const kindRows = kinds.flatMap(({ from, means }) =>
    Object.entries(means).map(([value, operation]) => {
      const said = value === "*" ? "there" : `\`${value}\``;
      return `| \`${operation}\` | \`${from}\` | ${said} |`;
    }),
  );
  const attributeRows = rows.map(
    ({ to, from, as, when }) =>
      `| \`${to}\` | ${from.map(code).join(", ")} | ${as}${onlyOf(when)} |`,
  );
  return [
    `## ${name}\n`,
    `${capital(about)}. Told by ${told.join(", ")}.\n`,
    ...table("operation | by | value", kindRows),
    ...table("becomes | from | read as", attributeRows),
  ].join("\n");
}

function signText(sign: string): string {
  return sign.endsWith(".") ? `\`${sign}*\`` : `\`${sign}\``;
}

function code(name: string): string {
  return `\`${name}\``;
}

function onlyOf(when: readonly string[] | undefined): string {
  if (when === undefined) return "";
  const named = when.map((one) => (one === "" ? "no operation" : one)).join(", ");
  return ` (${named})`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Nothing where there are no rows. */
function table(heads: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`| ${heads} |\n|---|---|---|`, ...rows, ""];
}
