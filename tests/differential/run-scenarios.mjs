// Runs scenarios on one openai and prints what the app noticed in each, one JSON line a scenario:
// node [--import SUBJECT] run-scenarios.mjs <directory of openai> <mjs | cjs> [pattern of names]
// A subject tells of its spans by a function that it leaves at `globalThis[Symbol.for("differential.spans")]`.
import { loadSdk } from "./load-sdk.mjs";
import { collectGarbage, perform } from "./perform.mjs";
import { scenarios } from "./scenarios.mjs";

const [directory, kind, pattern = ""] = process.argv.slice(2);
const tellOfSpans = globalThis[Symbol.for("differential.spans")];
const sdk = await loadSdk(directory, kind);
const chosen = scenarios.filter(({ name }) => new RegExp(pattern).test(name));

for (const scenario of chosen) {
  const { name, needs = () => true, spans: expected, unreadable } = scenario;
  const isThere = await Promise.resolve(needs(sdk)).catch(() => false);
  const told = isThere
    ? { noticed: await perform(scenario, sdk), spans: await tellOfSpans?.(collectGarbage) }
    : { absent: true };
  process.stdout.write(`${JSON.stringify({ name, expected, unreadable, ...told })}\n`);
}
// A request that a scenario left hanging would keep the process.
process.stdout.write("", () => process.exit());
