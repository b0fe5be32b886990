import { createHash } from "node:crypto";
import { fromExactJson } from "@thoughtflow/schema/exact-json";
import type { ImportReport } from "../import-format.ts";
import { isObject, listOf, membersOf, type PlainObject } from "../plain-values.ts";
import { type SourceFile, sourceText } from "../source-file.ts";

/** So short is the first line of a document that is written over many. */
const FIRST_LINE = 200;

/** A rollout as the first versions wrote it, until June 2025: one JSON document, written anew whenever something was said. */
export function isRolloutDocument(value: unknown): boolean {
  const { session, items } = membersOf(value);
  const { id, timestamp } = membersOf(session);
  return typeof id === "string" && typeof timestamp === "string" && Array.isArray(items);
}

/** The lines of such a document: what the thread is, and items of its history. */
export function linesOfDocument(document: PlainObject): readonly PlainObject[] {
  const { session, items } = document;
  const { timestamp } = membersOf(session);
  return [
    { timestamp, type: "session_meta", payload: membersOf(session) },
    ...listOf(items).filter(isObject).map(lineOfItem),
  ];
}

/** Only the program itself spoke as the system: of errors, and of what it did not do. */
function lineOfItem(item: PlainObject): PlainObject {
  return { type: item["role"] === "system" ? "program_message" : "response_item", payload: item };
}

/**
 * The files, with such documents as files of lines. The very first versions wrote a new file under a new id each time: of those the
 * longest is read.
 */
export async function withDocumentsAsLines(
  files: readonly SourceFile[],
  report: ImportReport,
): Promise<readonly SourceFile[]> {
  const read: { readonly file: SourceFile; readonly states?: readonly string[] }[] = [];
  const earlier = new Set<string>();
  for (const file of files) {
    const document = await documentIn(file);
    if (document === undefined) read.push({ file });
    else {
      const states = statesOf(document);
      for (const state of states.slice(0, -1)) earlier.add(state);
      read.push({ file: fileOfLines(file, document), states });
    }
  }
  return read.flatMap(({ file, states }) => {
    if (!earlier.has(states?.at(-1) ?? "")) return [file];
    report.lost("earlier state of a session", "a later one is here");
    return [];
  });
}

async function documentIn(file: SourceFile): Promise<PlainObject | undefined> {
  for await (const { text } of file.lines()) {
    const isBeginning = text.length < FIRST_LINE && /^\s*\{/.test(text);
    const value = parsed(text) ?? (isBeginning ? parsed(await file.text()) : undefined);
    return isRolloutDocument(value) ? membersOf(value) : undefined;
  }
  return undefined;
}

function fileOfLines(file: SourceFile, document: PlainObject): SourceFile {
  const lines = linesOfDocument(document).map((line) => `${JSON.stringify(line)}\n`);
  return { ...file, ...sourceText(lines.join(""), file.name) };
}

/** What the history was with each of its items. */
function statesOf({ items }: PlainObject): readonly string[] {
  const told = createHash("sha256");
  return listOf(items).map((item) => {
    told.update(JSON.stringify(item));
    return told.copy().digest("base64url");
  });
}

function parsed(text: string): unknown {
  try {
    return fromExactJson(text);
  } catch {
    return undefined;
  }
}
