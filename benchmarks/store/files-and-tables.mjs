/**
 * How long a command takes that looks at one session, at all files and at the tables, by how many sessions there are.
 *
 *     node benchmarks/store/files-and-tables.mjs [--write]
 *
 * `--write` puts the table into README.md.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema";
import { machine, report, table } from "../report.mjs";
import { median } from "../statistics.mjs";
import { recordsOf } from "./made-sessions.mjs";

const FILES = [100, 1000];

const dir = mkdtempSync(join(tmpdir(), "thoughtflow-growing-"));
const CLI = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** Seconds that a command takes, from its start to its end. */
function timed(flows, ...words) {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...words, "--dir", flows]);
  if (status !== 0) throw new Error(String(stderr));
  return (performance.now() - from) / 1000;
}

/** A flow directory of so many documents: how long commands take that look at one, at all files, and at the tables. */
function askFiles(count) {
  const flows = join(dir, `flows-${count}`);
  mkdirSync(flows);
  for (let number = 0; number < count; number++) {
    const [session] = assemble(recordsOf(number));
    writeFileSync(join(flows, `${session.session_id}.json`), canonicalJson(session));
  }
  const first = timed(flows, "stats");
  const again = (...words) => median(Array.from({ length: 3 }, () => timed(flows, ...words)));
  const all = [again("show", "session-7"), again("list"), first, again("stats")];
  rmSync(flows, { recursive: true });
  return [count, ...all.map((took) => `${took.toFixed(1)} s`)];
}

const files = FILES.map(askFiles);
rmSync(dir, { recursive: true });

report("store-files", [
  ...table(["sessions", "`show` one", "`list` all", "`stats`, the first time", "`stats`"], files),
  "",
  `Sessions of ten runs with eight steps each. Whole commands, Node's start in them; the middle of 3. ${machine()}.`,
]);
