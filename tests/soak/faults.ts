// `npm run test:soak:faults [-- KILLS]`: agents killed at random moments, a hundred thousand spans that nobody ends, and a
// million hostile ids and attribute sets.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@thoughtflow/testkit";
import { fuzzAttributes, fuzzIdentifiers } from "../faults/fuzz.ts";
import { killAgents } from "../faults/kill-agents.ts";
import { verifyFlows } from "../faults/verify-flows.ts";
import { runNode } from "../setups/run-app.ts";

const kills = Number(process.argv[2] ?? 1_000);
const FUZZED = 1_000_000;
const LEAKED = 100_000;
const MOST_LOST_MS = 100;
const MOST_HELD_MIB = 32;

const problems: string[] = [];
const killed = await killAgents(kills, createRandom(Date.now()));
const { steps, lost, longestMs, recoveryMs } = killed;
console.log(
  `${kills} kills, ${steps} ended steps, ${lost} lost, the oldest ${longestMs} ms of its loop before the last; ${(recoveryMs / 1000).toFixed(1)} s of recovery`,
);
problems.push(...killed.problems);
if (longestMs > MOST_LOST_MS) problems.push(`${longestMs} ms were lost`);

const dir = await mkdtemp(join(tmpdir(), "thoughtflow-leaks-"));
const app = join(import.meta.dirname, "..", "faults", "apps", "steps.mjs");
const env = { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir };
const { stdout } = await runNode([app, "spans that nobody ends", String(LEAKED)], env);
const held = Number(/^(-?\d+) MiB$/m.exec(stdout)?.[1]);
const [session] = (await verifyFlows(dir)).sessions;
const told = session?.completeness?.open_steps?.length;
console.log(`${LEAKED} spans that nobody ends: ${told} told, ${held} MiB held`);
if (told !== LEAKED || !(held < MOST_HELD_MIB)) problems.push("spans that nobody ends");
await rm(dir, { recursive: true });

problems.push(...fuzzIdentifiers(FUZZED, Date.now()), ...fuzzAttributes(FUZZED, Date.now()));
console.log(`${FUZZED} ids and as many attribute sets; ${problems.length} problems`);
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
