// What CI runs, stage after stage, each with its time. A stage that fails doesn't stop the later
// ones, except where they cannot run without it. Counts every test, and every other stage as one;
// the last line is "N passed, N failed", and the exit code is 1 unless nothing failed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

/** What vitest wrote, or nothing when it didn't come that far. */
function readReport(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0 };
  const report = JSON.parse(readFileSync(path, "utf8"));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function run({ script, tests }) {
  console.log(`\n=== ${script}`);
  const startedAt = performance.now();
  const report = join(reports, `${script.replace(":", "-")}.json`);
  const reporters = ["--", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { status } = spawnSync("npm", ["run", "--silent", script, ...(tests ? reporters : [])], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  const ok = status === 0;
  const counted = tests
    ? readReport(report)
    : { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  // A stage can fail without a failing test: a file that didn't load, no test at all.
  if (!ok && counted.failed === 0) counted.failed = 1;
  if (ok && counted.passed === 0) counted.failed = 1;
  return {
    script,
    ok: ok && counted.failed === 0,
    seconds: (performance.now() - startedAt) / 1000,
    ...counted,
  };
}

const results = [];
for (const stage of STAGES) {
  const result = run(stage);
  results.push(result);
  console.log(
    `=== ${stage.script}: ${result.ok ? "ok" : "FAILED"} in ${result.seconds.toFixed(1)} s`,
  );
  if (!result.ok && stage.needed) break;
}
rmSync(reports, { recursive: true, force: true });

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log("");
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
