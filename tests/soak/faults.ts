// `npm run test:soak:faults [-- KILLS]`: agents killed at random moments, and a million hostile ids and attribute sets.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { createRandom } from "@thoughtflow/testkit";
import { fuzzAttributes, fuzzIdentifiers } from "../faults/fuzz.ts";
import { type EndedStep, killAgent } from "../faults/killed-agent.ts";
import { stepIds, verifyFlows } from "../faults/verify-flows.ts";

const kills = Number(process.argv[2] ?? 1_000);
const FUZZED = 1_000_000;
const AT_ONCE = 3;
/** So many agents use one directory before it is looked at. */
const BATCH = 20;

const problems: string[] = [];
const random = createRandom(Date.now());
let killed = 0;
let steps = 0;
let lost = 0;
let longestMs = 0;
let recoveryMs = 0;

async function killBatch(count: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-kills-"));
  try {
    const ended: (readonly EndedStep[])[] = [];
    const worker = async () => {
      while (ended.length < count) {
        const at = ended.push([]) - 1;
        ended[at] = await killAgent(dir, "s", 20 + 780 * random());
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const begun = performance.now();
    await recoverFlows(dir);
    recoveryMs += performance.now() - begun;
    const { sessions, problems: found } = await verifyFlows(dir);
    problems.push(...found.filter((text) => !text.includes(".tmp-")));
    const kept = new Set(stepIds(sessions[0]));
    for (const one of ended) {
      killed++;
      steps += one.length;
      const missing = one.filter(({ id }) => !kept.has(id));
      lost += missing.length;
      const [first] = missing;
      const last = one.at(-1);
      if (first === undefined || last === undefined) continue;
      longestMs = Math.max(longestMs, last.ms - first.ms);
      if (one.indexOf(first) !== one.length - missing.length)
        problems.push(`${first.id} is lost, a later one is not`);
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

for (let left = kills; left > 0; left -= BATCH) await killBatch(Math.min(BATCH, left));
console.log(
  `${killed} kills, ${steps} ended steps, ${lost} lost, the oldest ${longestMs.toFixed(0)} ms before the last; ${(recoveryMs / 1000).toFixed(1)} s of recovery`,
);
problems.push(...fuzzIdentifiers(FUZZED, Date.now()), ...fuzzAttributes(FUZZED, Date.now()));
console.log(`${FUZZED} ids and as many attribute sets; ${problems.length} problems`);
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
