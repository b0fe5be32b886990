// What CI runs, stage after stage, each with its time. A stage that fails doesn't stop the later
// ones, except where they cannot run without it. Counts every test, and every other stage as one.
// At the end, because often only the end of a log is kept: what failed, by name and with the first
// lines of why; the stages; "N passed, N failed". The exit code is 1 unless nothing failed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readVitestReport } from "./vitest-report.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), "thoughtflow-ci-"));

/**
 * In the order of running: npm scripts. `needed` says that nothing after it can run without it,
 * `tests` that vitest counts what is inside.
 */
const STAGES = [
  { script: "build", needed: true },
  { script: "lint" },
  { script: "types" },
  { script: "test", tests: true },
  { script: "test:thorough", tests: true },
  { script: "knip" },
  { script: "pack", needed: true },
  { script: "publint" },
  { script: "attw" },
  { script: "test:packed", tests: true },
  { script: "demo" },
  { script: "test:stack", tests: true },
];

/** What is told of a stage that fails without a failing test: the end of what it said. */
const LAST_LINES = 20;

/** Runs a script and shows what it says; also returns the last lines of that. */
async function runScript(script, args) {
  const child = spawn("npm", ["run", "--silent", script, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let said = "";
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.setEncoding("utf8").on("data", (text) => {
      to.write(text);
      said = (said + text).slice(-20_000);
    });
  }
  const [status] = await once(child, "close");
  return { status, lastLines: said.trimEnd().split("\n").slice(-LAST_LINES) };
}

async function run({ script, tests }) {
  console.log(`\n=== ${script}`);
  const startedAt = performance.now();
  const report = join(reports, `${script.replace(":", "-")}.json`);
  const reporters = ["--", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { status, lastLines } = await runScript(script, tests ? reporters : []);
  const ok = status === 0;
  const counted = tests
    ? readVitestReport(report, root)
    : { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, failures: [] };
  // A stage can fail without a failing test: a file that didn't load, no test at all.
  if (!ok && counted.failed === 0) counted.failed = 1;
  if (ok && counted.passed === 0) counted.failed = 1;
  if (counted.failed > 0 && counted.failures.length === 0) {
    counted.failures = [{ title: `the end of what ${script} said`, lines: lastLines }];
  }
  return {
    script,
    ok: ok && counted.failed === 0,
    seconds: (performance.now() - startedAt) / 1000,
    ...counted,
  };
}

const results = [];
for (const stage of STAGES) {
  const result = await run(stage);
  results.push(result);
  console.log(
    `=== ${stage.script}: ${result.ok ? "ok" : "FAILED"} in ${result.seconds.toFixed(1)} s`,
  );
  if (!result.ok && stage.needed) break;
}
rmSync(reports, { recursive: true, force: true });

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log("");
for (const { script, failures } of results) {
  for (const { title, lines } of failures) {
    console.log(`FAILED ${script}: ${title}\n${lines.map((line) => `    ${line}\n`).join("")}`);
  }
}
for (const { script, ok, seconds, passed, failed, skipped } of results) {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  console.log(
    `${ok ? "ok    " : "FAILED"} ${script.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${counts}`,
  );
}
for (const { script } of STAGES.slice(results.length)) console.log(`not run ${script}`);
const notRun = STAGES.length - results.length;
console.log(`\n${sum("passed")} passed, ${sum("failed") + notRun} failed`);
process.exitCode = sum("failed") + notRun === 0 ? 0 : 1;
