/**
 * `thoughtflow serve` beside a real Collector, in turns, on the same requests: CPU time of each whole process. The Collector is
 * the one of the stack tests, which build it when it is not there yet (`npm run test:stack` says how). Needs built packages
 * (`npm run build`), Node 24 and Linux.
 *
 *     node --conditions=@thoughtflow/source benchmarks/otlp/collector.mjs [rounds] [--write]
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freeAddresses } from "../../tests/stack/free-addresses.ts";
import { COLLECTOR, goBinary } from "../../tests/stack/go-binary.ts";
import { machine, report, table } from "../report.mjs";
import { quiet, sendAll, startServer } from "./loaded-server.mjs";
import { requestOf, SPANS } from "./requests.mjs";
import { startPlainServer, startReceiver } from "./started-receiver.mjs";
import { touchMemory } from "./touched-memory.mjs";

const CONNECTIONS = 4;
/** So many come first and don't count: until then an engine compiles what is called for each span. */
const WARM = 72;
const COUNT = 48;

/** What a Collector sends on to: takes everything, in a process of its own. */
if (process.argv[2] === "sink") {
  const sink = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.end());
  });
  sink.listen(0, "127.0.0.1", () => process.send(sink.address().port));
} else await compare(Number(process.argv[2]) || 3);

async function startCollector(exporter) {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-collector-"));
  const [address] = await freeAddresses(1);
  const config = {
    ...(exporter.extensions && { extensions: exporter.extensions(dir) }),
    receivers: { otlp: { protocols: { http: { endpoint: address } } } },
    processors: { batch: {} },
    exporters: exporter.exporters,
    service: {
      ...(exporter.extensions && { extensions: Object.keys(exporter.extensions(dir)) }),
      pipelines: {
        traces: {
          receivers: ["otlp"],
          processors: ["batch"],
          exporters: Object.keys(exporter.exporters),
        },
      },
      telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
    },
  };
  const file = join(dir, "config.yaml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  const server = startServer(goBinary(COLLECTOR), ["--config", file]);
  server.stdout.resume();
  const url = `http://${address}/v1/traces`;
  for (;;) {
    const answer = await fetch(url, { method: "POST" }).catch(() => undefined);
    if (answer !== undefined) break;
    await sleep(50);
  }
  return { ...server, url, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

async function measured(start) {
  const bodies = Array.from({ length: WARM + COUNT }, (_, n) => requestOf("large", n));
  const server = await start();
  await sendAll(server.url, bodies.slice(0, WARM), {}, CONNECTIONS);
  await quiet(server);
  touchMemory();
  const before = server.cpu();
  const answers = await sendAll(server.url, bodies.slice(WARM), {}, CONNECTIONS);
  const acknowledged = server.cpu() - before;
  if (answers.some((status) => status !== 200)) throw new Error(`answers: ${new Set(answers)}`);
  await quiet(server);
  const all = server.cpu() - before;
  await server.end("SIGKILL");
  server.remove();
  return { acknowledged, all };
}

async function compare(rounds) {
  const sink = fork(fileURLToPath(import.meta.url), ["sink"]);
  const port = await new Promise((resolve) => sink.once("message", resolve));
  const queued = {
    extensions: (dir) => ({
      "file_storage/q": { directory: join(dir, "q"), create_directory: true },
    }),
    exporters: {
      otlp_http: {
        endpoint: `http://127.0.0.1:${port}`,
        compression: "none",
        sending_queue: { storage: "file_storage/q" },
      },
    },
  };
  const subjects = {
    "ThoughtFlow, in the journal": () => startReceiver(),
    "our decoder in a server of Node: each span a record, grouped by session, let go": () =>
      startPlainServer("decode"),
    "a server of Node that writes each request into a file, and nothing else": () =>
      startPlainServer("append"),
    "Collector, otlp → batch → debug": () =>
      startCollector({ exporters: { debug: { verbosity: "basic" } } }),
    "Collector, otlp → batch → queue on disk → another server": () => startCollector(queued),
  };
  const found = new Map(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, start] of Object.entries(subjects))
      found.get(name).push(await measured(start));
  sink.kill();
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const rate = (seconds) => Math.round((COUNT * SPANS) / seconds).toLocaleString("en");
  report(
    "collector",
    [
      `${machine()}; ${COUNT} requests of ${SPANS} spans of 7.6 KiB, plain, after ${WARM}, ${CONNECTIONS} connections, the middle of ${rounds} rounds.`,
      "",
      ...table(
        ["server", "acknowledged a second of CPU", "with all that it does then"],
        Array.from(found, ([name, runs]) => [
          name,
          rate(middle(runs.map(({ acknowledged }) => acknowledged))),
          rate(middle(runs.map(({ all }) => all))),
        ]),
      ),
    ],
    new URL("README.md", import.meta.url),
  );
}
