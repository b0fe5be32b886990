import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badEnvironments } from "@thoughtflow/testkit";
import { test } from "vitest";
import { stepIds, verifyFlows } from "./faults/verify-flows.ts";
import { REGISTER } from "./setups/run-app.ts";

const app = join(import.meta.dirname, "faults", "apps", "one-step.mjs");

test.concurrent.for(badEnvironments)(
  "$item, $name, $value: the app ends as it would",
  async ({ value }, { expect }) => {
    const cwd = await mkdtemp(join(tmpdir(), "thoughtflow-environment-"));
    try {
      const env = { PATH: process.env["PATH"], HOME: cwd, ...value };
      const { code, stdout, stderr } = await new Promise<{
        code: number | null;
        stdout: string;
        stderr: string;
      }>((resolve) => {
        const child = execFile(
          process.execPath,
          ["--import", REGISTER, app],
          { cwd, env },
          (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
        );
      });
      expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
      const told = stderr.split("\n").filter((line) => line.includes("[THOUGHTFLOW_"));
      // What can't be sent is told beside what can't be understood.
      expect(told.length).toBeLessThanOrEqual(2);
      const dir = value["THOUGHTFLOW_DIR"] ?? "thoughtflow";
      // Either it is told why there is no file, or it is there.
      const { sessions, problems } = await verifyFlows(join(cwd, dir)).catch(() => ({
        sessions: [],
        problems: [],
      }));
      expect(problems).toEqual([]);
      if (sessions.length === 0) expect(told.length).toBeGreaterThan(0);
      else expect(stepIds(sessions[0])).toEqual(["a"]);
    } finally {
      await rm(cwd, { recursive: true });
    }
  },
);
