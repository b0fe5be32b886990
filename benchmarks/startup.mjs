/**
 * What `--import @thoughtflow/node/register` adds to the start of an app: bare and registered runs take turns, the
 * median of the differences counts. Needs built packages (`npm run build`).
 *
 *     node benchmarks/startup.mjs [rounds] [--write]
 *
 * `--write` puts the table into README.md, one for each major version of Node.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { machine, report, table } from "./report.mjs";
import { median } from "./statistics.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const run = promisify(execFile);
const rounds = Number(process.argv[2]) || 21;

const moments = [
  { app: "empty.mjs", name: "empty script, first line", goal: 5 },
  { app: "client.mjs", name: "`import openai`, client built", goal: 30 },
  { app: "answer.mjs", name: "first answer (loopback)", goal: 120 },
];

/** Milliseconds from before the process was started to the app's moment and to its end, and CPU time until the moment. */
async function timed(app, isRegistered, url, dir) {
  const flags = isRegistered ? ["--import", "@thoughtflow/node/register"] : [];
  const env = { PATH: process.env.PATH, THOUGHTFLOW_DIR: dir };
  const before = performance.timeOrigin + performance.now();
  const { stdout } = await run(process.execPath, [...flags, join("apps", app), url], {
    cwd: here,
    env,
  });
  const [moment, cpu] = stdout.split(" ").map(Number);
  return {
    moment: moment - before,
    cpu,
    end: performance.timeOrigin + performance.now() - before,
  };
}

async function compared({ app }, url, dir) {
  const runs = { bare: [], registered: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of round % 2 === 0 ? ["bare", "registered"] : ["registered", "bare"]) {
      const times = await timed(app, kind === "registered", url, dir);
      // The first round only warms the disk.
      if (round > 0) runs[kind].push(times);
    }
  }
  const differences = (key) =>
    runs.registered.map((times, index) => times[key] - runs.bare[index][key]);
  return {
    bare: median(runs.bare.map(({ moment }) => moment)),
    added: median(differences("moment")),
    addedCpu: median(differences("cpu")),
    addedToEnd: median(differences("end")),
  };
}

const completion = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4.1-mini",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello." } }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
});
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(completion);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const dir = mkdtempSync(join(tmpdir(), "startup-"));
const [major] = process.versions.node.split(".");

const rows = [];
for (const moment of moments) {
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const { bare, added, addedCpu, addedToEnd } = await compared(moment, url, dir);
  const goal = Number(major) > 20 ? `≤ ${moment.goal}` : "–";
  const [b, a, c, e] = [bare, added, addedCpu, addedToEnd].map((value) => value.toFixed(1));
  rows.push([moment.name, b, a, goal, c, e]);
}
server.close();
rmSync(dir, { recursive: true });
report(`start-up, node ${major}`, [
  `${machine()}; ${rounds} rounds, ms:`,
  "",
  ...table(
    ["moment", "bare", "added", "goal", "CPU time added", "added to the process's end"],
    rows,
  ),
]);
