import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const app = join(import.meta.dirname, "apps", "few-steps.mjs");

/** Runs the app in a flow directory in which somebody has left something; how it ended, and the steps in its file. */
async function runBeside(leave: (dir: string) => void): Promise<unknown> {
  const root = mkdtempSync(join(tmpdir(), "thoughtflow-pipes-"));
  const dir = join(root, "flows");
  mkdirSync(join(dir, ".journal"), { recursive: true });
  leave(dir);
  const env = { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir };
  const signal = await new Promise((resolve) => {
    const limits = { env, timeout: 60_000, killSignal: "SIGKILL" } as const;
    const child = execFile(process.execPath, [app], limits, () => resolve(child.signalCode));
  });
  const ids = readFileSync(join(dir, "s.json"), "utf8").match(/"step_id": "\w+"/g);
  rmSync(root, { recursive: true });
  return { signal, steps: ids?.length };
}

test.concurrent.for([
  ["s.json"],
  ["s.d2", "s.svg"],
  [".journal/1-abc.tfj"],
  [".journal/1-abc.idx", ".journal/1-abc.tfj of another's"],
  [".journal/1-abc.state.json"],
  [".journal/s.lease"],
  [".journal/responses.jsonl", ".journal/responses.older.jsonl"],
  [".tmp-0123456789abcdef", ".journal/.tmp-0123456789abcdef"],
  [".gitignore"],
])("pipes at the places of %s hold nobody up", async (names, { expect }) => {
  const ending = await runBeside((dir) => {
    for (const name of names) {
      const [path = "", isOther] = name.split(" of ");
      if (isOther === undefined) execFileSync("mkfifo", [join(dir, path)]);
      else writeFileSync(join(dir, path), "x");
    }
  });
  expect(ending).toEqual({ signal: null, steps: 4 });
});

test("a file of five gibibytes that calls itself a journal holds nobody up", async () => {
  const ending = await runBeside((dir) => {
    const path = join(dir, ".journal", "1-abc.tfj");
    writeFileSync(path, "");
    truncateSync(path, 5 * 2 ** 30);
  });
  expect(ending).toEqual({ signal: null, steps: 4 });
});
