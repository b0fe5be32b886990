import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const LOCK = new URL("./lock.ts", import.meta.url).href;
const [PROCESSES, ROUNDS] = [4, 250];

/** Counts in a file, as nobody may who isn't alone. */
const PROGRAM = `
  import { readFileSync, writeFileSync } from "node:fs";
  const { withLock } = await import(${JSON.stringify(LOCK)});
  const [, dir, rounds] = process.argv;
  for (let round = 0; round < Number(rounds); round++) {
    withLock(dir, () => {
      const count = Number(readFileSync(dir + "/count", "utf8"));
      writeFileSync(dir + "/count", String(count + 1));
    }, 60_000);
  }
`;

test("processes that wait for a lock that a dead one left behind get it one after the other", {
  timeout: 120_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-lock-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "count"), "0");
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(join(dir, ".lock.5"), JSON.stringify({ pid, host: hostname() }));
  const args = ["--input-type=module", "--eval", PROGRAM, dir, String(ROUNDS)];
  const ended = Array.from({ length: PROCESSES }, () =>
    once(spawn(process.execPath, args, { stdio: "inherit" }), "close"),
  );
  expect(await Promise.all(ended)).toEqual(Array(PROCESSES).fill([0, null]));
  expect(readFileSync(join(dir, "count"), "utf8")).toBe(String(PROCESSES * ROUNDS));
  expect(readdirSync(dir).filter((name) => name.startsWith(".lock."))).toEqual([
    `.lock.${5 + PROCESSES * ROUNDS}`,
  ]);
});
