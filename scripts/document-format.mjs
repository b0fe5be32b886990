// Writes the tables of docs/document-format.md from the JSON Schema, between their markers.
// `--check` writes nothing and fails when the page is not what it would write.
import { readFileSync, writeFileSync } from "node:fs";

const PAGE = new URL("../docs/document-format.md", import.meta.url);
const SCHEMA = new URL("../packages/schema/thoughtflow.schema.json", import.meta.url);

/** The page with every table between `<!-- table: Name -->` and `<!-- end -->` made anew. */
export function withTables(page, schema) {
  return page.replaceAll(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin, name, end) => {
      const part = name === "Session" ? schema : schema.$defs[name];
      if (part === undefined) throw new Error(`the schema has no part ${name}`);
      return `${begin}${table(part)}\n${end}`;
    },
  );
}

function table({ properties, required = [] }) {
  const rows = Object.entries(properties).map(([key, value]) => {
    const name = required.includes(key) ? `**\`${key}\`**` : `\`${key}\``;
    return `| ${name} | ${typeOf(value)} | ${value.description ?? ""} |`;
  });
  return ["| key | value | |", "|---|---|---|", ...rows].join("\n");
}

function typeOf(value) {
  if (value.$ref !== undefined)
    return `[${value.$ref.split("/").at(-1)}](#${value.$ref.split("/").at(-1).toLowerCase()})`;
  if (value.enum !== undefined) return value.enum.map((one) => `\`${one}\``).join(" ");
  if (value.anyOf !== undefined) return value.anyOf.map(typeOf).join(" or ");
  if (value.type === "array") return `list of ${typeOf(value.items ?? {})}`;
  return value.type ?? "any JSON";
}

if (import.meta.filename === process.argv[1]) {
  const page = readFileSync(PAGE, "utf8");
  const made = withTables(page, JSON.parse(readFileSync(SCHEMA, "utf8")));
  if (!process.argv.includes("--check")) writeFileSync(PAGE, made);
  else if (made !== page) {
    console.error("docs/document-format.md is behind the schema: node scripts/document-format.mjs");
    process.exit(1);
  }
}
