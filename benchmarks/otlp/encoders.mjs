/**
 * Our encoder beside the official protobuf serialiser, on the same ended spans, in CPU time of the JavaScript thread,
 * in turns. Needs built packages (`npm run build`).
 *
 *     node benchmarks/otlp/encoders.mjs [rounds] [--write]
 */
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { encodeProtobufRequest } from "@thoughtflow/otlp";
import { BATCH, kinds, produce } from "../pipeline/spans.mjs";
import { machine, report, table } from "../report.mjs";
import { tenthPercentile } from "../statistics.mjs";
import { threadCpu } from "../thread-cpu.mjs";

const rounds = Number(process.argv[2]) || 101;
/** So many rounds come first and don't count: by then everything is compiled. */
const WARM_UP = 40;

const encoders = {
  official: (spans) => ProtobufTraceSerializer.serializeRequest(spans),
  ours: encodeProtobufRequest,
};

/** The spans of a batch, without their attributes' getters having been read. */
function endedSpans(attributes) {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  produce(new NodeTracerProvider({ spanProcessors }).getTracer("benchmark", "1.0.0"), attributes);
  return exporter.getFinishedSpans();
}

const batches = Object.entries({
  "small, 4 attributes": () =>
    Array(BATCH).fill({
      "http.request.method": "GET",
      "url.path": "/",
      "http.response.status_code": 200,
      "server.address": "example",
    }),
  ...kinds,
}).map(([name, prepare]) => ({
  name,
  spans: endedSpans(prepare()),
  official: [],
  ours: [],
  bytes: 0,
}));

for (let round = -WARM_UP; round < rounds; round += 1) {
  for (const batch of batches) {
    const order = round % 2 === 0 ? ["official", "ours"] : ["ours", "official"];
    for (const name of order) {
      const start = threadCpu();
      const { length } = encoders[name](batch.spans);
      const took = threadCpu() - start;
      if (round >= 0) batch[name].push(took);
      batch.bytes = length;
    }
  }
}

const rows = batches.map(({ name, official, ours, bytes }) => {
  const [theirs, own] = [tenthPercentile(official), tenthPercentile(ours)];
  return [
    name,
    (theirs / BATCH).toFixed(2),
    (own / BATCH).toFixed(2),
    `${(theirs / own).toFixed(1)} ×`,
    Math.round(bytes / own).toLocaleString("en"),
  ];
});

report("otlp", [
  `${machine()}; ${BATCH} spans a request, ${rounds} rounds in turns, 10th percentile.`,
  "",
  ...table(["spans", "official, µs a span", "ours", "faster", "ours, MB/s"], rows),
]);
