// A transcript of any size, made of real ones (packages/cli/fixtures): copy after copy, each with ids, times and texts of
// its own, so that nothing is found again that a real session would not hold again.
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SESSION = "11111111-2222-4333-8444-555555555555";
const WRITE_BYTES = 4 * 2 ** 20;
/** Shorter strings are names, ids, paths. */
const TEXT = 48;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}([0-9a-f]{4})$/;
const API_ID = /^(msg|toolu|req)_[A-Za-z0-9]+$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** From one copy to the next: the sessions themselves, without the weeks between them. */
const COPY_MS = 4 * 3_600_000;

const FIXTURES = ["10a740e118e0.jsonl", "7169f9710768.jsonl"];
const entire = FIXTURES.flatMap((name) =>
  recordsOf(
    fileURLToPath(
      new URL(`../../packages/cli/fixtures/claude-code-entire/${name}`, import.meta.url),
    ),
  ),
);
const entireMs = startOf(entire);

/** Writes a transcript of at least so many bytes; `sessionOf` names the session of each copy. Returns its bytes. */
export function writeTranscript(path, bytes, sessionOf = () => SESSION, first = 0) {
  const file = openSync(path, "w");
  let written = 0;
  let waiting = "";
  for (let copy = first; written + waiting.length < bytes; copy++) {
    const change = { copy, session: sessionOf(copy), firstMs: entireMs };
    for (const record of entire) {
      waiting += `${JSON.stringify(changed(record, change))}\n`;
      if (waiting.length < WRITE_BYTES) continue;
      written += writeSync(file, waiting);
      waiting = "";
    }
  }
  written += writeSync(file, waiting);
  closeSync(file);
  return written;
}

/** Writes copies of the transcripts of a folder into another, each a session of its own, until they have so many bytes. Returns their bytes. */
export function writeCopies(from, to, bytes) {
  const sources = readdirSync(from)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => recordsOf(join(from, name)));
  let written = 0;
  for (let copy = 0; written < bytes; copy++) {
    for (const [at, records] of sources.entries()) {
      const session = `11111111-2222-4333-8444-${String(copy * sources.length + at).padStart(12, "0")}`;
      const change = { copy, session, firstMs: startOf(records) };
      const text = records.map((record) => `${JSON.stringify(changed(record, change))}\n`).join("");
      writeFileSync(join(to, `${session}.jsonl`), text);
      written += Buffer.byteLength(text);
    }
  }
  return written;
}

function recordsOf(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function startOf(records) {
  return Math.min(
    ...records.flatMap(({ timestamp }) => (timestamp ? [Date.parse(timestamp)] : [])),
  );
}

function changed(value, change, key = "") {
  if (typeof value === "string") return changedText(value, change, key);
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, changed(item, change, name)]),
  );
}

function changedText(text, { copy, session, firstMs }, key) {
  if (key === "sessionId") return session;
  if (key === "agentId") return `${text}${copy.toString(36)}`;
  if (UUID.test(text)) return text.slice(0, -6) + copy.toString(16).padStart(6, "0");
  if (API_ID.test(text)) return `${text}${copy.toString(36)}`;
  if (key === "timestamp" && TIME.test(text)) {
    const ms = (Date.parse(text) - firstMs) % COPY_MS;
    return new Date(firstMs + copy * COPY_MS + ms).toISOString();
  }
  return text.length < TEXT ? text : `(${copy}) ${text}`;
}
