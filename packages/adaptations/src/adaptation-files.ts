import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ActiveEdit } from "./adaptation.ts";
import { versionOf } from "./version.ts";

/** The files of a directory of adaptations. */
export interface AdaptationFiles {
  readonly dir: string;
  readonly catalogue: string;
  readonly edits: string;
  readonly audit: string;
}

export function adaptationFiles(dir: string): AdaptationFiles {
  return {
    dir,
    catalogue: join(dir, "catalogue.json"),
    edits: join(dir, "edits.json"),
    audit: join(dir, "audit.jsonl"),
  };
}

const MOST_BYTES = 64 * 2 ** 20;

/** The text of a file; empty where there is none. Throws for what is no file, or has more than 64 MiB. */
export function textOfFile(path: string): string {
  try {
    const stats = statSync(path);
    // Reading a pipe would wait for whoever writes it.
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    if (stats.size > MOST_BYTES)
      throw new Error(`${path} has ${stats.size} bytes, ${MOST_BYTES} are allowed`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Appends a line and has it on the disk before it returns. A line that was torn off before it is ended first. */
export function appendLine(path: string, line: string, known: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    writeFileSync(file, `${known === "" || known.endsWith("\n") ? "" : "\n"}${line}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What `edits.json` says of the edits in force. */
export function editsText(edits: ReadonlyMap<string, ActiveEdit>): string {
  const sorted = [...edits].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/**
 * Makes `edits.json` say what is in force. One that says something else, and is not what stood there `before`, goes into
 * `.quarantine`; the name it has there is returned.
 */
export function writeEdits(
  { dir, edits }: AdaptationFiles,
  text: string,
  before: string,
): string | undefined {
  const found = textOfFile(edits);
  if (found === text) return undefined;
  let quarantined: string | undefined;
  if (found !== "" && found !== before) {
    const folder = join(dir, ".quarantine");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    quarantined = join(folder, `edits-${versionOf(found)}.json`);
    renameSync(edits, quarantined);
  }
  const temporary = `${edits}.${process.pid}.tmp`;
  // What somebody put there, a link perhaps, is not written through.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, edits);
  return quarantined;
}
