/**
 * Our reader of OTLP requests beside those of others, on the same bytes, in CPU time of the JavaScript thread, in turns.
 * Needs built packages (`npm run build`) and the others (`npm run bench:peers`).
 *
 *     node benchmarks/otlp/decoders.mjs [rounds] [--write]
 */
import { assemble } from "@thoughtflow/assemble";
import {
  decodeJsonRequest,
  decodeProtobufRequest,
  encodeJsonRequest,
  excerptBytes,
  scanProtobufRequest,
} from "@thoughtflow/otlp";
import { SPAN_SIGNS } from "@thoughtflow/processor/intake";
import { canonicalChunks } from "@thoughtflow/schema/canonical";
import { machine, report, table } from "../report.mjs";
import { tenthPercentile } from "../statistics.mjs";
import { threadCpu } from "../thread-cpu.mjs";
import { checkedRecords } from "./checked-records.mjs";
import { readers } from "./readers/readers.mjs";
import { KINDS, requestOf, SPANS, spansOf } from "./requests.mjs";

const rounds = Number(process.argv[2]) || 61;
/** So many rounds come first and don't count: by then everything is compiled. */
const WARM_UP = 15;

/** Records by trace, as bytes that can be appended. */
function grouped(records) {
  const traces = new Map();
  for (const record of records) {
    const lines = traces.get(record.traceId);
    const line = JSON.stringify(record);
    if (lines === undefined) traces.set(record.traceId, [line]);
    else lines.push(line);
  }
  return [...traces.values()].map((lines) => Buffer.from(lines.join("\n")));
}

/** What `thoughtflow serve` does before it acknowledges: checked to the last attribute, and cut up. */
function scanned(bytes) {
  const request = scanProtobufRequest(bytes, SPAN_SIGNS);
  if (request.spans.length !== SPANS) throw new Error(`${request.rejected[0]?.reason}`);
  const traces = new Map();
  for (const span of request.spans) {
    const spans = traces.get(span.traceId);
    if (spans === undefined) traces.set(span.traceId, [span]);
    else spans.push(span);
  }
  return [...traces.values()].map((spans) => excerptBytes(request.requestOf(spans)));
}

function documents(bytes) {
  for (const session of assemble(checkedRecords(bytes)))
    for (const chunk of canonicalChunks(session)) Buffer.from(chunk);
}

const tasks = Object.fromEntries([
  ...Object.entries(readers).flatMap(([name, { decode, records }]) => [
    [`${name}|decoded`, ({ bytes }) => decode(bytes)],
    [`${name}|records`, ({ bytes }) => records(decode(bytes))],
    [`${name}|to append`, ({ bytes }) => grouped(records(decode(bytes)))],
  ]),
  ["JSON.parse of OTLP in JSON|decoded", ({ json }) => JSON.parse(json.toString())],
  ["ThoughtFlow, of OTLP in JSON|records", ({ json }) => decodeJsonRequest(json.toString())],
  ["ThoughtFlow, texts read at once|records", ({ bytes }) => decodeProtobufRequest(bytes)],
  ["ThoughtFlow|records", ({ bytes }) => checkedRecords(bytes)],
  ["ThoughtFlow|to append", ({ bytes }) => scanned(bytes)],
  ["ThoughtFlow|documents", ({ bytes }) => documents(bytes)],
]);

const requests = Object.keys(KINDS).map((kind) => ({
  kind,
  bytes: requestOf(kind),
  json: Buffer.from(encodeJsonRequest(spansOf(kind))),
  took: new Map(Object.keys(tasks).map((name) => [name, []])),
}));

for (let round = -WARM_UP; round < rounds; round += 1) {
  for (const request of requests) {
    for (const [name, task] of Object.entries(tasks).toSorted(() => Math.random() - 0.5)) {
      const start = threadCpu();
      task(request);
      const took = threadCpu() - start;
      if (round >= 0) request.took.get(name).push(took);
    }
  }
}

const steps = ["decoded", "records", "to append", "documents"];
const names = [...new Set(Object.keys(tasks).map((name) => name.split("|")[0]))];

const lines = requests.flatMap(({ kind, bytes, took }) => {
  const perSecond = (name) => {
    const times = took.get(name);
    return times && Math.round((SPANS * 1e6) / tenthPercentile(times));
  };
  const rows = names.map((name) => [
    name,
    ...steps.map((step) => perSecond(`${name}|${step}`)?.toLocaleString("en") ?? ""),
  ]);
  const size = (bytes.length / SPANS / 1024).toFixed(1);
  return [
    `Spans of ${size} KiB (${kind}), spans a second of CPU:`,
    "",
    ...table(["reader", ...steps], rows),
    "",
  ];
});

report(
  "decoders",
  [
    `${machine()}; ${SPANS} spans a request, ${rounds} rounds in turns, 10th percentile.`,
    "",
    ...lines.slice(0, -1),
  ],
  new URL("README.md", import.meta.url),
);
