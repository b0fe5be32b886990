import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { capturedIo } from "../../../testing/captured-io.ts";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { thoughtflow } from "../../thoughtflow.ts";

const FILE = "rollout-2026-11-23T04-21-12-01a206a2-f293-7730-88a2-c3f021f1ed67.jsonl";
const folder = fileURLToPath(new URL("../../../fixtures/codex-scripted/", import.meta.url));
const lines = readFileSync(join(folder, FILE), "utf8").split("\n");

/** The session that stands there after the first so many lines were imported, one number after the other. */
async function sessionAfter(...counts: readonly number[]): Promise<unknown> {
  const cwd = directoryWith();
  for (const count of counts) {
    writeFileSync(join(cwd, FILE), lines.slice(0, count).join("\n"));
    const io = capturedIo(cwd);
    expect(await thoughtflow(["import", "codex", FILE, "--out", "out"], io)).toBe(0);
  }
  const [name, ...others] = readdirSync(join(cwd, "out")).filter((one) => one.endsWith(".json"));
  expect(others).toEqual([]);
  const { revision: _, ...session } = JSON.parse(
    readFileSync(join(cwd, "out", name ?? ""), "utf8"),
  );
  return session;
}

test("a thread that was imported before anybody said anything is one of a single import when it has grown", async () => {
  const fresh = await sessionAfter(lines.length);
  const starts = [6, 7, 8, 9, 10, 11];
  for (const start of starts) expect(await sessionAfter(start, lines.length)).toEqual(fresh);
});
