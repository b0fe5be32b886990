import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson, checkSession } from "@thoughtflow/schema";
import { createImportReport } from "../src/imports/create-import-report.ts";
import type { ImportFormat } from "../src/imports/import-format.ts";
import { createFieldVisitor, type FoundField } from "../src/imports/loss-table.ts";
import { isObject, type PlainObject } from "../src/imports/plain-values.ts";
import { type SourceFile, sourceText } from "../src/imports/source-file.ts";

/** Files of a format that hold every field of its loss table, by their paths. */
export type Specimen = Readonly<Record<string, string>>;

const SPECIMENS = fileURLToPath(new URL("../fixtures/specimens/", import.meta.url));

export function specimenOf(format: string): Specimen {
  const root = join(SPECIMENS, format);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  );
}

/** What an import makes of a specimen, and what it says is left out. */
export interface ImportedSpecimen {
  /** The documents, canonical. */
  readonly documents: string;
  /** The documents, and what only the journal holds. */
  readonly records: string;
  readonly said: readonly string[];
}

export async function importSpecimen(
  format: ImportFormat,
  specimen: Specimen,
): Promise<ImportedSpecimen> {
  const said: string[] = [];
  const report = createImportReport((line) => said.push(line), { isVerbose: true });
  const files: SourceFile[] = Object.entries(specimen)
    .map(([name, text]) => ({ ...sourceText(text, name), path: name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const records = [];
  for await (const record of report.masked(format.read(files, report))) records.push(record);
  report.sayLosses();
  const sessions = assemble(records);
  const problems = sessions.flatMap((session) => checkSession(session));
  if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  const documents = sessions.map(canonicalJson).join("");
  return { documents, records: documents + JSON.stringify(records), said };
}

/**
 * Whether the loss table of a format is true of what its import does: every field of the specimen is changed, one after
 * the other. What is said to be kept changes the session then; what is said to be lost does not, and is told.
 */
export async function lossTableProblems(
  format: ImportFormat,
  specimen: Specimen,
): Promise<string[]> {
  const { losses } = format;
  if (losses === undefined) return ["it has no loss table"];
  const before = await importSpecimen(format, specimen);
  const visit = createFieldVisitor(losses);
  const outcomes = new Map<string, Outcome>();
  for (const [file, text] of Object.entries(specimen)) {
    const count = leavesIn(text, file, visit).length;
    for (let index = 0; index < count; index++) {
      const values = valuesOf(text, file);
      const leaf = leavesOf(values, visit)[index];
      if (leaf === undefined) continue;
      const { field, holder, name } = leaf;
      const row = `${field.kind} ${field.path}`;
      const outcome = outcomes.get(row) ?? { fate: field.fate, documents: false, records: false };
      outcomes.set(row, outcome);
      if (isProven(outcome)) continue;
      holder[name as never] = changed(holder[name as never]) as never;
      const after = await importSpecimen(format, {
        ...specimen,
        [file]: textOf(values, file),
      }).catch((error: unknown) => ({
        documents: String(error),
        records: String(error),
        said: [],
      }));
      outcome.documents ||= after.documents !== before.documents;
      outcome.records ||= after.records !== before.records;
    }
  }
  const told = before.said.join("\n");
  const problems = [...outcomes].flatMap(([row, { fate, documents, records }]) => {
    if (fate === undefined) return [`${row}: not in the table`];
    if ("apart" in fate) return [];
    if ("kept" in fate)
      return isKept(fate, { documents, records }) ? [] : [`${row}: said to be kept, and is not`];
    if (records) return [`${row}: said to be lost, and is kept`];
    return told.includes(`× ${row}`) ? [] : [`${row}: lost, and nobody is told`];
  });
  const rows = Object.entries(losses.fields).flatMap(([kind, fields]) =>
    Object.entries(fields).flatMap(([path, fate]) => ("apart" in fate ? [] : [`${kind} ${path}`])),
  );
  return [
    ...problems,
    ...rows.filter((row) => !outcomes.has(row)).map((row) => `${row}: not in the specimen`),
  ];
}

/** What changes with the fields of a row. */
interface Outcome {
  readonly fate: FoundField["fate"];
  documents: boolean;
  records: boolean;
}

/** Whether no further field of its row can tell more: one that changes the session shows that it is kept. */
function isProven({ fate, ...changes }: Outcome): boolean {
  if (fate === undefined || "apart" in fate) return true;
  return "kept" in fate && isKept(fate, changes);
}

function isKept(fate: { kept: string }, changes: Omit<Outcome, "fate">): boolean {
  return fate.kept.startsWith("journal") ? changes.records : changes.documents;
}

interface Leaf {
  readonly field: FoundField;
  readonly holder: Record<string, unknown> | unknown[];
  readonly name: string | number;
}

function leavesIn(
  text: string,
  file: string,
  visit: ReturnType<typeof createFieldVisitor>,
): Leaf[] {
  return leavesOf(valuesOf(text, file), visit);
}

function leavesOf(
  values: readonly unknown[],
  visit: ReturnType<typeof createFieldVisitor>,
): Leaf[] {
  const leaves: Leaf[] = [];
  for (const value of values)
    if (isObject(value)) visit(value, (field) => below(field, field.holder, field.name, leaves));
  return leaves;
}

function below(
  field: FoundField,
  holder: Leaf["holder"],
  name: Leaf["name"],
  leaves: Leaf[],
): void {
  const value = holder[name as never] as unknown;
  if (typeof value !== "object" || value === null) leaves.push({ field, holder, name });
  else for (const inner of Object.keys(value)) below(field, value as Leaf["holder"], inner, leaves);
}

function changed(value: unknown): unknown {
  if (typeof value === "number") return value + 300;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "changed";
  // Another time, where it is one: what is no time at all would be left out.
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return value.replace(/T\d\d/, "T11");
  if (value.startsWith("{")) return changedJson(value);
  if (/^(data|event):/.test(value))
    return value.replace(/("(?:text|content)":")[^"]+/g, "$1changed");
  return `${value}x`;
}

/** Every text in it is another one. */
function changedJson(text: string): string {
  return JSON.stringify(
    JSON.parse(text, (_, value) => (typeof value === "string" ? `${value}x` : value)),
  );
}

function valuesOf(text: string, file: string): readonly unknown[] {
  if (!file.endsWith(".jsonl")) return [JSON.parse(text)];
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as PlainObject]));
}

function textOf(values: readonly unknown[], file: string): string {
  const lines = values.map((value) => JSON.stringify(value));
  return file.endsWith(".jsonl") ? `${lines.join("\n")}\n` : lines.join("");
}
