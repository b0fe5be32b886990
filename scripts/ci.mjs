// What CI runs, stage after stage, each with its time. A stage that fails doesn't stop the later
// ones, except where they cannot run without it. Counts every test, and every other stage as one.
// At the end, because often only the end of a log is kept: what failed, by name and with the first
// lines of why; the stages; "N passed, N failed". The exit code is 1 unless nothing failed.
import { spawn } from "node:child_process";
import { once } from "node:events";
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
  { script: "conflicts", needed: true },
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
async function runScript(script, args, environment) {
  const child = spawn("npm", ["run", "--silent", script, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
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

/** vitest's arguments to show the tests as usual and to tell us of them. */
const REPORTERS = ["--", "--reporter=default", "--reporter=./scripts/failures-reporter.mjs"];

/** What the reporter wrote, or nothing when vitest didn't come that far. */
function readReport(path) {
  if (!existsSync(path)) return { passed: 0, skipped: 0, failures: [] };
  return JSON.parse(readFileSync(path, "utf8"));
}

async function run({ script, tests }) {
  console.log(`\n=== ${script}`);
  const startedAt = performance.now();
  const CI_REPORT = join(reports, `${script.replace(":", "-")}.json`);
  const { status, lastLines } = await runScript(script, tests ? REPORTERS : [], { CI_REPORT });
  const succeeded = status === 0;
  const { passed, skipped, failures } = tests
    ? readReport(CI_REPORT)
    : { passed: succeeded ? 1 : 0, skipped: 0, failures: [] };
  // A stage can fail without a failing test: the build before it, no test at all.
  if (failures.length === 0 && (!succeeded || passed === 0)) {
    failures.push({ title: `the end of what ${script} said`, lines: lastLines });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { script, ok: failures.length === 0, seconds, passed, skipped, failures };
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

console.log("");
for (const { script, failures } of results) {
  for (const { title, lines } of failures) {
    console.log(`FAILED ${script}: ${title}\n${lines.map((line) => `    ${line}\n`).join("")}`);
  }
}
for (const { script, ok, seconds, passed, skipped, failures } of results) {
  const counts = `${passed} passed, ${failures.length} failed, ${skipped} skipped`;
  console.log(
    `${ok ? "ok    " : "FAILED"} ${script.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${counts}`,
  );
}
const notRun = STAGES.slice(results.length);
for (const { script } of notRun) console.log(`not run ${script}`);
const passed = results.reduce((total, result) => total + result.passed, 0);
const failed = results.reduce((total, result) => total + result.failures.length, notRun.length);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
