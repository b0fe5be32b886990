/**
 * What thinking costs, in CPU time of the JavaScript thread: a thought until the call returns, and a text that goes through the
 * parser of thinking tags. Needs built packages (`npm run build`).
 *
 *     node benchmarks/thoughts.mjs [--write]
 */
import { setTimeout as wait } from "node:timers/promises";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createThinkingTagParser, executeThinkAloud } from "@thoughtflow/think-aloud";
import { recordThought, withRun } from "@thoughtflow/tracing";
import { machine, report, table } from "./report.mjs";
import { tenthPercentile } from "./statistics.mjs";
import { threadCpu } from "./thread-cpu.mjs";

const ROUNDS = 60;
const BLOCK = 500;

const ended = [];
const provider = new NodeTracerProvider({
  spanProcessors: [
    {
      onStart() {},
      onEnd: (span) => ended.push(span),
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ],
});
provider.register();

/** µs of CPU. */
function costOfCall(fn) {
  const before = threadCpu();
  fn();
  return threadCpu() - before;
}

let session = 0;
function costOf(think) {
  return withRun({ session: `s${session++}` }, () =>
    costOfCall(() => {
      for (let n = 0; n < BLOCK; n++) think(n);
    }),
  );
}

const said =
  "Look the weather up first; it comes in Celsius, so it has to be converted afterwards.";
const thinkers = {
  "`recordThought` with a kind and a confidence": (n) =>
    recordThought({ thought: `${said} ${n}`, type: "planning", confidence: 0.9 }),
  "`executeThinkAloud` with the JSON of a model, about an earlier thought": (n) =>
    executeThinkAloud(
      `{"thought_id":"t${n}","thought":"${said}","thought_type":"planning","confidence":0.9,"related_to":"t${n === 0 ? "" : n - 1}"}`,
      { budget: false },
    ),
};

const costs = Object.fromEntries(Object.keys(thinkers).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, think] of Object.entries(thinkers)) {
    costs[name].push(costOf(think) / BLOCK);
    // What is read after the caller's turn is not the caller's; it must be over before the next block.
    await wait(5);
    ended.length = 0;
  }
}

const prose = `${"The weather in a city is looked up with one call, and it comes in Celsius. ".repeat(8)}\n\n`;
const markdown = `${prose}Use \`get_weather\` for it:\n\n\`\`\`js\nconst a = b < c ? d : e;\n\`\`\`\n\n`;
const texts = {
  "prose without tags": prose,
  "Markdown with code": markdown,
  "a thought in every paragraph": `<thinking type="planning" confidence="0.9">${prose}</thinking>\n\n${prose}`,
};
/** So much lies in a core's cache, as a chunk does that has just come; more would measure the memory. */
const SIZE = 1_000_000;
const PARSES = 100;
const CHUNKS = [5, 1_000, 64_000];

function chunksOf(text, length) {
  const whole = text.repeat(Math.ceil(SIZE / text.length));
  const chunks = [];
  for (let at = 0; at < whole.length; at += length) chunks.push(whole.slice(at, at + length));
  return chunks;
}

/** What no parser that tells each chunk can do without: a look at each of its characters. */
function createLook(listener) {
  return {
    write(chunk) {
      let marks = 0;
      for (let at = 0; at < chunk.length; at++) if (chunk.charCodeAt(at) === 60) marks++;
      if (marks >= 0) listener.text(chunk);
    },
    end() {},
  };
}

function megabytesPerSecond(createParser, chunks, length) {
  const rates = [];
  for (let round = 0; round < PARSES; round++) {
    let told = 0;
    const parser = createParser({
      open() {},
      text(piece) {
        told += piece.length;
      },
      close() {},
    });
    const before = threadCpu();
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    rates.push(length / (threadCpu() - before));
    if (told < 0) throw new Error("unreachable");
  }
  return Math.max(...rates);
}

function rowOf(name, createParser, text) {
  const rates = CHUNKS.map((length) => {
    const chunks = chunksOf(text, length);
    return megabytesPerSecond(
      createParser,
      chunks,
      chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    );
  });
  return [name, ...rates.map((rate) => rate.toFixed(0))];
}

const rows = [
  ...Object.entries(texts).map(([name, text]) => rowOf(name, createThinkingTagParser, text)),
  rowOf("only a look at each character, for comparison", createLook, prose),
];

report("thoughts", [
  `${machine()}; ${ROUNDS} rounds of ${BLOCK} thoughts, 10th percentile; the best of ${PARSES} rounds of parsing 1 MB.`,
  "",
  ...table(
    ["µs of CPU until the call returns", "µs"],
    Object.entries(costs).map(([name, values]) => [name, tenthPercentile(values).toFixed(1)]),
  ),
  "",
  ...table(["MB/s through the tag parser", ...CHUNKS.map((n) => `chunks of ${n}`)], rows),
]);
