// `npm run test:soak [-- conversations [COUNT] | agent-day [HOURS] | large-session [STEPS] | large-content [MIB] | requests [COUNT] | store-kills [COUNT]]`: long runs, and what they leave. Exits with 1 when something is wrong.
import { agentDay } from "./agent-day.ts";
import { fuzzedRequests } from "./fuzzed-requests.ts";
import { largeContent, largeSession } from "./large-session.ts";
import { manyConversations } from "./many-conversations.ts";
import { storeKills } from "./store-kills.ts";

const RUNS = {
  conversations: { run: manyConversations, count: 15_000 },
  "agent-day": { run: agentDay, count: 24 },
  "large-session": { run: largeSession, count: 100_000 },
  "large-content": { run: largeContent, count: 1024 },
  "store-kills": { run: storeKills, count: 1000 },
  requests: { run: fuzzedRequests, count: 1_000_000 },
};

const [mode = "conversations", count] = process.argv.slice(2);
const chosen = Object.entries(RUNS).find(([name]) => name === mode)?.[1];
if (chosen === undefined) {
  console.error(`there is no run ${JSON.stringify(mode)}, but ${Object.keys(RUNS).join(" and ")}`);
  process.exit(3);
}
const problems = await chosen.run(Number(count ?? chosen.count));
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
