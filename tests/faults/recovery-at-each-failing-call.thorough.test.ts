import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realFileSystem } from "@thoughtflow/journal";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { failEachCall } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { killAgent } from "./killed-agent.ts";
import { isLeftByKilled, stepIds, verifyFlows } from "./verify-flows.ts";

test("a recovery in which any call fails loses nothing: the next one has it all", async () => {
  const root = await mkdtemp(join(tmpdir(), "thoughtflow-recovery-"));
  try {
    const killed = join(root, "killed");
    await killAgent(killed, "s", 120);
    const whole = join(root, "whole");
    await cp(killed, whole, { recursive: true });
    await recoverFlows(whole);
    const expected = stepIds((await verifyFlows(whole)).sessions[0]);
    const count = await failEachCall(realFileSystem, { code: "EIO" }, async ({ fs }, failing) => {
      const dir = join(root, `failing-${failing}`);
      await cp(killed, dir, { recursive: true });
      await recoverFlows(dir, { fs }).catch((error) =>
        expect(error).toMatchObject({ code: "EIO" }),
      );
      await recoverFlows(dir);
      const { sessions, problems } = await verifyFlows(dir);
      expect({ failing, problems: problems.filter((text) => !isLeftByKilled(text)) }).toEqual({
        failing,
        problems: [],
      });
      expect(stepIds(sessions[0])).toEqual(expected);
      await rm(dir, { recursive: true });
    });
    expect(count).toBeGreaterThan(30);
  } finally {
    await rm(root, { recursive: true });
  }
});
