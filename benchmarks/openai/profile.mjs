/**
 * Where the time of an observed call goes: V8's sampling profiler over a loop of calls; what it found in our code or in
 * OpenTelemetry's is summed by the parts of a call's way. Shares, since a profiler costs time itself. Needs built packages
 * (`npm run build`) and the benchmarks' openai (`npm run bench:peers`).
 *
 *     node benchmarks/openai/profile.mjs [--seconds 20] [--write]
 */
import { Session } from "node:inspector/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { machine, report, table } from "../report.mjs";
import { fakeFetch } from "./fake-fetch.mjs";
import { scenarios } from "./scenarios.mjs";
import { start } from "./variants/thoughtflow-spans.mjs";

const { values: flags } = parseArgs({
  options: { seconds: { type: "string", default: "20" }, write: { type: "boolean" } },
});
const SHOWN = [
  "chat, 4 KiB, in a run of the app",
  "chat, 4 KiB",
  "chat, 100 messages (37 KB)",
  "agent turn: 98 messages known, 2 new",
];
const BLOCK = 200;

const OURS = /\/packages\/[a-z-]+\/dist\//;
const OTEL = /\/@opentelemetry\//;
const SINK = /\/null-sink\.mjs$/;
/** What Node does for whoever called it; `fetch` is the SDK's. */
const NODE = /^(?:node:(?!internal\/deps)|$)/;

/** The parts, by the functions that begin them. A sample belongs to the innermost that it is in. */
const PARTS = [
  ["hot", "OpenTelemetry starts spans", OTEL, "startSpan"],
  ["hot", "OpenTelemetry ends spans, queues them", OTEL, "end onEnd"],
  ["hot", "OpenTelemetry's context (`AsyncLocalStorage`)", OTEL, "with active"],
  ["hot", "`runOf`: the run around the call", OURS, "runOf leave open enter close"],
  ["hot", "`startCall`: the request's attributes, the call", OURS, "startCall"],
  ["hot", "`followCall`, `observeAttempt`: the SDK's promise", OURS, "followCall observeAttempt"],
  [
    "hot",
    "`completeWhenRead`, `tellWhenRead`: told when read",
    OURS,
    "completeWhenRead tellWhenRead",
  ],
  ["hot", "`end`: the answer is there", OURS, "endWithAnswer answerCall end"],
  ["later", "`place`: which conversation, which history", OURS, "place rememberAnswer"],
  ["later", "`redactValue`: masking", OURS, "redactValue"],
  [
    "later",
    "`inputMessagesOf`, `outputMessagesOf`: JSON",
    OURS,
    "inputMessagesOf outputMessagesOf",
  ],
  ["later", "`tellAnswer`: the answer's attributes", OURS, "tellAnswer tellBeginning catchUp"],
  ["later", "`wholeText`: texts of all messages as one", OURS, "wholeText"],
  ["later", "`exposeStructure`: `thoughtflow.messages`", OURS, "make"],
  [
    "later",
    "the exporter reads, the queue is emptied",
    /\/@opentelemetry\/|\/null-sink\.mjs$/,
    "readAll export forceFlush _flushAll doExport",
  ],
].map(([moment, label, url, names]) => ({ moment, label, url, names: new Set(names.split(" ")) }));
const REST = "the rest of ours: replaced methods, failures caught";

const options = { apiKey: "none", baseURL: "https://api.openai.com/v1", maxRetries: 0 };
const { client, settle, inRun } = start({ ...options, fetch: fakeFetch }, { masked: true });

async function makeBlock({ call, callsInRun = 1 }) {
  for (let made = 0; made < BLOCK; made += callsInRun) {
    const some = async () => {
      for (let inside = 0; inside < callsInRun; inside += 1) await call(client);
    };
    await (callsInRun === 1 ? some() : inRun(some));
  }
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  await settle();
}

/** A profile of so many seconds of calls, with the parent of each of its nodes. */
async function profileOf(scenario, seconds) {
  for (let block = 0; block < 20; block += 1) await makeBlock(scenario);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 250 });
  await session.post("Profiler.start");
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) await makeBlock(scenario);
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, { ...node, parent: undefined }]));
  for (const node of nodes.values()) {
    for (const child of node.children ?? []) nodes.get(child).parent = node;
  }
  return profile.samples.map((id) => nodes.get(id));
}

/** Whose code a sample was taken in: the first frame from the inside that is not Node's own. */
function ownerOf(leaf) {
  let at = leaf;
  while (at !== undefined && NODE.test(at.callFrame.url)) at = at.parent;
  return at?.callFrame.url ?? "";
}

function partOf(leaf) {
  for (let at = leaf; at !== undefined; at = at.parent) {
    const { url, functionName } = at.callFrame;
    const part = PARTS.find((one) => one.names.has(functionName) && one.url.test(url));
    if (part !== undefined) return part.label;
  }
  return REST;
}

const columns = [];
for (const name of SHOWN) {
  const scenario = scenarios.find((one) => one.name === name);
  const samples = await profileOf(scenario, Number(flags.seconds) / SHOWN.length);
  const counts = new Map();
  for (const leaf of samples) {
    const owner = ownerOf(leaf);
    if (![OURS, OTEL, SINK].some((one) => one.test(owner))) continue;
    const part = partOf(leaf);
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  columns.push((label) => `${((100 * (counts.get(label) ?? 0)) / all).toFixed(0)} %`);
}

report("profile", [
  `${machine()}; samples of ${flags.seconds} s in all, every 250 µs.`,
  "",
  ...table(
    ["when", "part", ...SHOWN],
    [...PARTS, { moment: "hot", label: REST }].map(({ moment, label }) => [
      moment,
      label,
      ...columns.map((shareOf) => shareOf(label)),
    ]),
  ),
]);
process.exit();
