import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { expect, onTestFinished, test } from "vitest";
import { runNode } from "../setups/run-app.ts";
import { stepIds, verifyFlows } from "./verify-flows.ts";

const app = join(import.meta.dirname, "apps", "read-only-mount.mjs");

function mount(...args: readonly string[]): boolean {
  try {
    execFileSync("mount", args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A file system of its own in memory; `undefined` where this user may mount none. */
function mounted(): string | undefined {
  const place = mkdtempSync(join(tmpdir(), "thoughtflow-mount-"));
  if (!mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", place)) {
    rmSync(place, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", place]);
    rmSync(place, { recursive: true });
  });
  return place;
}

test.for(["for a while", "for good"])(
  "a file system that becomes read-only under the app, %s, costs it no step that its open journal takes",
  async (how, { skip }) => {
    const place = mounted();
    if (place === undefined) return skip("it needs the right to mount a file system");
    const dir = join(place, "flows");
    mkdirSync(dir, { mode: 0o700 });
    const env = { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir };
    const { code, stdout, stderr } = await runNode([app, place, how], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
    const warnings = stderr.split("\n").filter((line) => line.includes("THOUGHTFLOW_DIRECTORY"));
    expect(warnings).toHaveLength(how === "for good" ? 2 : 1);
    expect(warnings.at(-1)).toContain("EROFS");
    // What it may not write over stays as it was, and is made good by the next one.
    const left = await verifyFlows(dir);
    expect(left.problems).toEqual([]);
    expect(stepIds(left.sessions[0])).toHaveLength(how === "for good" ? 50 : 150);
    if (how === "for a while") return;
    expect(warnings.at(-1)).toContain("documents that are not up to date: 1;");
    execFileSync("umount", [place]);
    await recoverFlows(dir);
    expect(stepIds((await verifyFlows(dir)).sessions[0])).toHaveLength(100);
  },
);
