import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { type EndedStep, killAgent } from "./killed-agent.ts";
import { isLeftByKilled, stepIds, verifyFlows } from "./verify-flows.ts";

/** What came of agents that were killed while they worked. */
export interface Kills {
  readonly kills: number;
  /** Steps that had ended. */
  readonly steps: number;
  readonly lost: number;
  /** How long before its last step the oldest lost one of an agent had ended, at most: of the event loop's time. */
  readonly longestMs: number;
  readonly recoveryMs: number;
  readonly problems: readonly string[];
}

const AT_ONCE = 3;
/** So many agents use one directory and one session before it is looked at. */
const BATCH = 20;

/** Kills agents at random moments, recovers what they left, and compares it with what they said had ended. */
export async function killAgents(kills: number, random: () => number): Promise<Kills> {
  const totals = { kills, steps: 0, lost: 0, longestMs: 0, recoveryMs: 0 };
  const problems: string[] = [];
  for (let left = kills; left > 0; left -= BATCH) {
    const dir = await mkdtemp(join(tmpdir(), "thoughtflow-kills-"));
    try {
      const ended = await killBatch(dir, Math.min(BATCH, left), random);
      const begun = performance.now();
      await recoverFlows(dir);
      totals.recoveryMs += performance.now() - begun;
      const { sessions, problems: found } = await verifyFlows(dir);
      problems.push(...found.filter((text) => !isLeftByKilled(text)));
      const kept = new Set(stepIds(sessions[0]));
      for (const one of ended) {
        const missing = one.filter(({ id }) => !kept.has(id));
        totals.steps += one.length;
        totals.lost += missing.length;
        const [first] = missing;
        if (first === undefined) continue;
        totals.longestMs = Math.max(totals.longestMs, (one.at(-1)?.loopMs ?? 0) - first.loopMs);
        if (one.indexOf(first) !== one.length - missing.length)
          problems.push(`${first.id} is lost, a later one is not`);
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
  return { ...totals, problems };
}

async function killBatch(
  dir: string,
  count: number,
  random: () => number,
): Promise<readonly (readonly EndedStep[])[]> {
  const ended: (readonly EndedStep[])[] = [];
  const worker = async () => {
    while (ended.length < count) {
      const at = ended.push([]) - 1;
      ended[at] = await killAgent(dir, "s", 1 + Math.floor(150 * random()));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return ended;
}
