/**
 * What the instrumentation adds to a call of openai, each block of calls beside one of the bare client, in one process:
 * whatever else the machine does falls on both alike. Every way of calling has a copy of the SDK of its own, so that none
 * profits or suffers from what compilers learned of another. Needs built packages (`npm run build`) and the peers
 * (`npm run bench:peers`).
 *
 *     node benchmarks/openai/pairs.mjs [--rounds 1000] [--write]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { observeOpenAI } from "@langfuse/openai";
import { trace } from "@opentelemetry/api";
import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { machine, report, table } from "../report.mjs";
import { quantile } from "../statistics.mjs";
import { threadCpu } from "../thread-cpu.mjs";
import { fakeFetch } from "./fake-fetch.mjs";
import { nullSpanExporter } from "./null-sink.mjs";
import { scenarios } from "./scenarios.mjs";
import { copyOfSdk } from "./sdk-copy.mjs";
import { inSpan, providerOf } from "./tracing-provider.mjs";
import { traced, tracedWithRoot } from "./variants/pure-otel.mjs";

const { values: flags } = parseArgs({
  options: { rounds: { type: "string", default: "1000" }, write: { type: "boolean" } },
});
const ROUNDS = Number(flags.rounds);
/** Short blocks: what disturbs one is likely to disturb the one beside it. */
const CALLS = 20;
const SHOWN = /^(?:chat, (?:4|100)|agent turn|responses, 100)/;

const { provider, settle } = providerOf(nullSpanExporter);
const options = {
  apiKey: "none",
  baseURL: "https://api.openai.com/v1",
  maxRetries: 0,
  fetch: fakeFetch,
};

const folder = mkdtempSync(join(tmpdir(), "pairs-"));
/** Each way of calling, by name; the first is what the others are compared with. */
const ways = {
  bare: (OpenAI) => new OpenAI(options),
  ThoughtFlow(OpenAI) {
    instrumentOpenAI(OpenAI, { tracerProvider: provider, captureContentOnSpans: true });
    return new OpenAI(options);
  },
  "pure OTel 2.12, one span": (OpenAI) => traced(new OpenAI(options), trace.getTracer("pure")),
  "pure OTel 2.12, as many spans": (OpenAI) => {
    const tracer = trace.getTracer("pure");
    return tracedWithRoot(traced(new OpenAI(options), tracer), tracer);
  },
  "Langfuse 5.11.1": (OpenAI) => observeOpenAI(new OpenAI(options)),
};

async function make({ call, callsInRun }, client) {
  for (let made = 0; made < CALLS; made += callsInRun ?? 1) {
    if (callsInRun === undefined) await call(client);
    else {
      await inSpan(async () => {
        for (let inside = 0; inside < callsInRun; inside += 1) await call(client);
      });
    }
  }
}

/** µs a call: until the caller has its answers, and until they are recorded. */
async function timed(scenario, client) {
  const began = threadCpu();
  await make(scenario, client);
  const answered = threadCpu();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  await settle();
  return { hot: (answered - began) / CALLS, total: (threadCpu() - began) / CALLS };
}

function shuffled(items) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const names = Object.keys(ways);
const clients = [];
for (const [at, name] of names.entries()) {
  const { default: OpenAI } = await import(copyOfSdk(folder, `openai-${at}`));
  clients.push(ways[name](OpenAI));
}

const rows = [];
for (const scenario of scenarios.filter(({ name }) => SHOWN.test(name))) {
  const blocks = names.map(() => []);
  // A third comes first and doesn't count: by then everything is compiled.
  for (let round = -Math.ceil(ROUNDS / 3); round < ROUNDS; round += 1) {
    for (const at of shuffled([...names.keys()])) {
      const block = await timed(scenario, clients[at]);
      if (round >= 0) blocks[at].push(block);
    }
  }
  const tenth = (at, key) =>
    quantile(
      blocks[at].map((block) => block[key]),
      0.1,
    );
  const added = (at, key) => tenth(at, key) - tenth(0, key);
  const [, ours, otel] = names.keys();
  rows.push([
    scenario.name,
    tenth(0, "hot").toFixed(0),
    ...names
      .slice(1)
      .map((_, at) => `${added(at + 1, "hot").toFixed(1)} / ${added(at + 1, "total").toFixed(0)}`),
    (added(ours, "hot") / added(otel, "hot")).toFixed(1),
  ]);
}
rmSync(folder, { recursive: true });

const [, ...compared] = names;
report("pairs", [
  `${machine()}; ${ROUNDS} rounds of blocks of ${CALLS} calls, 10th percentile of each less that of the bare client's.`,
  "",
  ...table(["added, µs a call: hot / total", "bare", ...compared, "hot, in plain spans"], rows),
]);
process.exit();
