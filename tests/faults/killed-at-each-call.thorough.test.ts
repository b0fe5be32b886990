import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { expect, test } from "vitest";
import { runNode } from "../setups/run-app.ts";
import { isLeftByKilled, stepIds, verifyFlows } from "./verify-flows.ts";

const apps = join(import.meta.dirname, "apps");
const AT_ONCE = 3;

/** Kills the app instead of a call; false when it makes fewer. */
async function killedAt(call: number): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), "thoughtflow-call-"));
  const dir = join(root, "flows");
  try {
    await mkdir(dir, { mode: 0o700 });
    const { code, stdout } = await runNode(
      ["--import", join(apps, "faulty-disk.mjs"), join(apps, "few-steps.mjs")],
      {
        PATH: process.env["PATH"],
        THOUGHTFLOW_DIR: dir,
        FAULT: JSON.stringify({ kill: call }),
      },
    );
    const said = (word: string) =>
      [...stdout.matchAll(new RegExp(`^${word} (.*)$`, "gm"))].flatMap(([, ids = ""]) =>
        ids.split(" "),
      );
    await recoverFlows(dir);
    const { sessions, problems } = await verifyFlows(dir);
    expect({ call, problems: problems.filter((text) => !isLeftByKilled(text)) }).toEqual({
      call,
      problems: [],
    });
    const kept = stepIds(sessions[0]);
    const ended = said("ended");
    // What a flush has confirmed stays; of the rest the last ones may be missing, never one before another.
    expect({ call, kept }).toEqual({ call, kept: ended.slice(0, kept.length) });
    expect(kept.length).toBeGreaterThanOrEqual(said("flushed").length);
    return code !== 0;
  } finally {
    await rm(root, { recursive: true });
  }
}

test("a process that is killed at any of its calls to the file system leaves sound files and all that was flushed", async () => {
  let next = 1;
  let isOver = false;
  const worker = async () => {
    while (!isOver) if (!(await killedAt(next++))) isOver = true;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(next).toBeGreaterThan(60);
});
