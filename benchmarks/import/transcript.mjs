// A transcript of any size, made of real ones (packages/cli/fixtures): copy after copy, each with ids, times and texts of
// its own, so that nothing is found again that a real session would not hold again.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const FIXTURES = ["claude-code-entire/10a740e118e0.jsonl", "claude-code-entire/7169f9710768.jsonl"];
const SESSION = "11111111-2222-4333-8444-555555555555";
const WRITE_BYTES = 4 * 2 ** 20;
/** Shorter strings are names, ids, paths. */
const TEXT = 48;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}([0-9a-f]{4})$/;
const API_ID = /^(msg|toolu|req)_[A-Za-z0-9]+$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const records = FIXTURES.flatMap((name) =>
  readFileSync(new URL(`../../packages/cli/fixtures/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line)),
);
const times = records.flatMap(({ timestamp }) => (timestamp ? [Date.parse(timestamp)] : []));
const firstMs = Math.min(...times);
/** From one copy to the next: the sessions themselves, without the weeks between them. */
const COPY_MS = 4 * 3_600_000;

/** Writes a transcript of at least so many bytes; `sessionOf` names the session of each copy. Returns its bytes. */
export function writeTranscript(path, bytes, sessionOf = () => SESSION, first = 0) {
  const file = openSync(path, "w");
  let written = 0;
  let waiting = "";
  for (let copy = first; written + waiting.length < bytes; copy++) {
    const session = sessionOf(copy);
    for (const record of records) {
      waiting += `${JSON.stringify(changed(record, copy, session))}\n`;
      if (waiting.length < WRITE_BYTES) continue;
      written += writeSync(file, waiting);
      waiting = "";
    }
  }
  written += writeSync(file, waiting);
  closeSync(file);
  return written;
}

function changed(value, copy, session, key = "") {
  if (typeof value === "string") return changedText(value, copy, session, key);
  if (Array.isArray(value)) return value.map((item) => changed(item, copy, session));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, changed(item, copy, session, name)]),
  );
}

function changedText(text, copy, session, key) {
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
