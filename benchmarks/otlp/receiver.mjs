/**
 * `thoughtflow serve` as a process, under requests that come over four connections at once: CPU time of the whole process
 * and the time on the clock until everything is acknowledged, and until the files are written, too; then what it does under
 * three times as many requests as it lets in, and whether anything that it acknowledged is missing after it was killed.
 * Needs built packages (`npm run build`) and Linux.
 *
 *     node benchmarks/otlp/receiver.mjs [requests] [--write]
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { createJournalReader } from "@thoughtflow/journal";
import { machine, report, table } from "../report.mjs";
import { quiet, sendAll } from "./loaded-server.mjs";
import { KINDS, requestOf, SPANS } from "./requests.mjs";
import { startPlainServer, startReceiver } from "./started-receiver.mjs";
import { touchMemory } from "./touched-memory.mjs";

const count = Number(process.argv[2]) || 48;
/** So many come first and don't count: until then the engine compiles what is called for each span, which takes as long again. */
const WARM = 72;
const CONNECTIONS = 4;

async function measured(kind, form, start = startReceiver) {
  const isPacked = form === "gzip";
  const headers = isPacked ? { "content-encoding": "gzip" } : {};
  const bodies = Array.from({ length: count + WARM }, (_, n) => {
    const body = requestOf(kind, n);
    return isPacked ? gzipSync(body) : body;
  });
  const receiver = await start();
  await sendAll(receiver.url, bodies.slice(count), headers, CONNECTIONS);
  await quiet(receiver);
  touchMemory();
  const [cpu, clock] = [receiver.cpu(), performance.now()];
  const answers = await sendAll(receiver.url, bodies.slice(0, count), headers, CONNECTIONS);
  const acknowledged = [receiver.cpu() - cpu, (performance.now() - clock) / 1000];
  if (answers.some((status) => status !== 200)) throw new Error(`answers: ${new Set(answers)}`);
  await quiet(receiver);
  const all = receiver.cpu() - cpu;
  await receiver.end("SIGTERM");
  receiver.remove();
  const spans = count * SPANS;
  return [
    `${(requestOf(kind).length / SPANS / 1024).toFixed(1)} KiB, ${form}`,
    ...[spans / acknowledged[0], spans / acknowledged[1], spans / all].map((rate) =>
      Math.round(rate).toLocaleString("en"),
    ),
  ];
}

/** µs of CPU a span that a server of Node takes for large ones that does nothing else with a request: the least that it can do. */
async function leastShare(work) {
  const [, rate] = await measured("large", "plain", () => startPlainServer(work));
  return (1e6 / Number(rate.replaceAll(",", ""))).toFixed(1);
}

/** Of these requests, as many at once as it lets in by default: 32 MiB. */
const LETS_IN = 8;

/** Three times as many requests at once as it lets in. */
async function overload() {
  const receiver = await startReceiver();
  const bodies = Array.from({ length: 240 }, (_, n) => requestOf("large", n));
  const answers = await sendAll(receiver.url, bodies, {}, 3 * LETS_IN);
  const memory = receiver.memory();
  await receiver.end("SIGKILL");
  const taken = answers.flatMap((status, n) => (status === 200 ? [n] : []));
  const reader = createJournalReader(receiver.dir, { textsStay: true });
  reader.refreshSync();
  const found = new Set();
  for (const id of reader.sessionIds())
    for (const record of reader.recordsOfSession(id))
      if ("spanId" in record) found.add(record.spanId);
  const missing = taken
    .flatMap((n) =>
      Array.from({ length: SPANS }, (_, span) =>
        (span + 1 + n * SPANS).toString(16).padStart(16, "0"),
      ),
    )
    .filter((id) => !found.has(id));
  receiver.remove();
  const others = answers.filter((status) => status !== 200 && status !== 429);
  return `Overload: ${bodies.length} requests of 512 spans, ${3 * LETS_IN} at once where it lets ${LETS_IN} in: ${taken.length} acknowledged, ${answers.length - taken.length - others.length} answered with 429, ${others.length} with anything else; at most ${Math.round(memory)} MiB resident; killed then, ${missing.length} of ${(taken.length * SPANS).toLocaleString("en")} acknowledged spans missing in the journal.`;
}

/** µs of CPU a span that nothing but gunzip takes, in this process. */
function gunzipShare(kind) {
  const bodies = Array.from({ length: 16 }, (_, n) => gzipSync(requestOf(kind, n)));
  for (const body of bodies) gunzipSync(body);
  const before = process.cpuUsage();
  for (const body of bodies) gunzipSync(body);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / bodies.length / SPANS).toFixed(1);
}

const rows = [];
for (const kind of Object.keys(KINDS))
  for (const form of ["plain", "gzip"]) rows.push(await measured(kind, form));

report(
  "receiver",
  [
    `${machine()}; ${count} requests of ${SPANS} spans after ${WARM}, ${CONNECTIONS} connections.`,
    "",
    ...table(
      ["spans", "acknowledged a second of CPU", "a second", "with files, a second of CPU"],
      rows,
    ),
    "",
    `A server of Node that throws the large ones away as they come takes ${await leastShare("bare")} µs of CPU a span; one that writes each request into a file and answers then, ${await leastShare("append")}.`,
    "",
    `With gzip, gunzip alone takes ${gunzipShare("small")} µs of CPU for a small span, ${gunzipShare("large")} µs for a large one.`,
    "",
    await overload(),
  ],
  new URL("README.md", import.meta.url),
);
