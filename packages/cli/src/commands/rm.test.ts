import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import { expect, onTestFinished, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { journalOfDeadProcess, stepRecord } from "../../testing/journal-of-dead-process.ts";
import { thoughtflow } from "../thoughtflow.ts";

async function run(cwd: string, line: string) {
  const io = capturedIo(cwd);
  const exitCode = await thoughtflow(line.split(" "), io);
  return { exitCode, stdout: io.stdout(), stderr: io.stderr() };
}

/** Files of a directory in which these words stand. */
function filesWith(words: string, dir: string): readonly string[] {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(words));
}

const words = "a secret that somebody said";
const secret = {
  content: { "gen_ai.tool.call.result": JSON.stringify(`${words} ${"x".repeat(2 ** 21)}`) },
};

test("a session is erased from documents, blobs, journals and spool; the others stay", async () => {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  journalOfDeadProcess(dir, [
    stepRecord("span_end", "s", "told", { ...secret, traceId: "b".repeat(32) }),
    stepRecord("span_end", "t", "kept"),
  ]);
  await run(cwd, "recover");
  mkdirSync(join(dir, ".spool", "backend"), { recursive: true });
  writeFileSync(join(dir, ".spool", "backend", "1"), "\0\x01s_gone... session s");
  const before = JSON.parse(readFileSync(join(dir, "t.json"), "utf8"));
  expect(filesWith(words, dir).length).toBeGreaterThan(1);

  expect(await run(cwd, "rm s")).toMatchObject({ exitCode: 0, stdout: "s\n" });
  expect(filesWith(words, dir)).toEqual([]);
  expect(readdirSync(dir).filter((name) => name.startsWith("s."))).toEqual([]);
  expect(readdirSync(join(dir, "blobs"))).toEqual([]);

  // What comes later of it is not shown, and of the others nothing changes.
  await run(cwd, "recover");
  expect(existsSync(join(dir, "s.json"))).toBe(false);
  expect(JSON.parse(readFileSync(join(dir, "t.json"), "utf8"))).toEqual(before);
});

test("of a session in a process that still runs the rest goes when that has ended", async () => {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  const living = openJournal({ dir });
  onTestFinished(() => living.closeSync());
  living.append(stepRecord("span_end", "s", "told", secret));
  living.flushSync();
  const { exitCode, stderr } = await run(cwd, "rm s");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("A process that still runs holds records of s");
  expect(filesWith(words, dir)).toHaveLength(1);
});

test("a session that is not there is named", async () => {
  const { exitCode, stderr } = await run(directoryWith(), "rm s_nobody");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("There is no session s_nobody in ");
});
