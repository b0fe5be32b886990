// What composePrompt costs the caller: 10 parts, 20 kB, remembered and not. Microseconds a call, the 10th percentile and
// the median of 200 rounds of 100 calls; beside it what hashing the parts alone would cost.
//
//   node --conditions=@thoughtflow/source benchmarks/compose-prompt.mjs
import { createHash } from "node:crypto";
import { composePrompt } from "@thoughtflow/tracing";
import { expectPrompts } from "@thoughtflow/tracing/internal";

const parts = (round) =>
  Array.from({ length: 10 }, (_, i) => ({
    type: "policy",
    value: `${round} ${i} `.padEnd(2_000, "wörds "),
  }));

function measure(name, work) {
  const rounds = [];
  for (let round = 0; round < 200; round++) {
    const inputs = Array.from({ length: 100 }, (_, i) => parts(round * 100 + i));
    const start = process.cpuUsage();
    const wall = process.hrtime.bigint();
    for (const input of inputs) work(input);
    const { user, system } = process.cpuUsage(start);
    rounds.push(Math.min(user + system, Number(process.hrtime.bigint() - wall) / 1e3) / 100);
  }
  rounds.sort((a, b) => a - b);
  console.log(`${name}: p10 ${rounds[20].toFixed(1)} µs, median ${rounds[100].toFixed(1)} µs`);
}

measure("composePrompt, nobody traces", composePrompt);
expectPrompts();
measure("composePrompt, remembered   ", composePrompt);
measure("SHA-256 of the parts        ", (input) => {
  for (const { value } of input) createHash("sha256").update(value).digest("hex");
});
