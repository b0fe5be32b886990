// Ends a hundred steps of the session "s" and meets, on the way, with what its argument names. "done" goes to stdout.
import { fork } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, threadId, Worker } from "node:worker_threads";
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withStep } from "@thoughtflow/tracing";

const [what, many = "100"] = process.argv.slice(2);
const dir = process.env.THOUGHTFLOW_DIR;
const flow = process.env.BARE ? undefined : startThoughtFlow();
const name = `${process.pid}-${threadId}`;
const day = 86_400_000;

async function steps(count, from = 0) {
  await withRun({ session: "s", name: `from ${from}` }, async () => {
    for (let n = from; n < from + count; n++) {
      await withStep({ label: "node", id: `${name}-${n}` }, () => {});
      if (n % 10 === 0) await setTimeout(1);
    }
  });
}

/** So many steps, then something, then the rest; long enough after one another to be written in between. */
async function around(something) {
  await steps(50);
  await flow?.flush();
  await something();
  await steps(50, 50);
}

async function endOf(worker) {
  const [code] = await once(worker, "exit");
  if (code !== 0) throw new Error(`a worker ended with ${code}`);
}

function setClock(ms) {
  const now = Date.now;
  Date.now = () => now() + ms;
}

const situations = {
  "nothing at all": () => steps(100),
  "process.exit(3)": async () => {
    await steps(100);
    console.log("done");
    process.exit(3);
  },
  "an error": async () => {
    await steps(100);
    setImmediate(() => {
      throw new Error("of the app");
    });
  },
  "a rejection": async () => {
    await steps(100);
    void Promise.reject(new Error("of the app"));
  },
  SIGTERM: () => endBy("SIGTERM"),
  SIGHUP: () => endBy("SIGHUP"),
  SIGKILL: () => endBy("SIGKILL"),
  "SIGINT twice": () => endBy("SIGINT", "SIGINT"),
  "SIGINT twice, handled": async () => {
    let count = 0;
    process.on("SIGINT", () => {
      if (++count === 2) process.exit(130);
    });
    await endBy("SIGINT", "SIGINT");
  },
  "its directory deleted": () => around(() => rmSync(dir, { recursive: true })),
  "a file in place of its directory": () =>
    around(() => {
      renameSync(dir, `${dir}.away`);
      writeFileSync(dir, "a file");
    }),
  "a link in place of its directory": () =>
    around(() => {
      renameSync(dir, `${dir}.away`);
      mkdirSync(`${dir}.elsewhere`);
      symlinkSync(`${dir}.elsewhere`, dir);
    }),
  "no descriptor left": () =>
    around(async () => {
      const held = [];
      try {
        for (;;) held.push(openSync("/dev/null", "r"));
      } catch {
        await steps(50, 100);
        await flow?.flush();
      }
      for (const fd of held) closeSync(fd);
    }),
  "a clock that goes a day back": () => around(() => setClock(-day)),
  "a clock that goes a day ahead": () => around(() => setClock(day)),
  "a blocked event loop": () =>
    around(() => {
      const until = performance.now() + 1_500;
      while (performance.now() < until);
    }),
  "worker threads": () =>
    workers(() => new Worker(new URL(import.meta.url), { argv: ["nothing at all", "50"] })),
  "forked processes": () =>
    workers(() =>
      fork(fileURLToPath(import.meta.url), ["nothing at all", "50"], { stdio: "ignore" }),
    ),
  "a cluster": () => {
    cluster.setupPrimary({
      exec: fileURLToPath(import.meta.url),
      args: ["in a cluster", "50"],
      silent: true,
    });
    return workers(() => cluster.fork());
  },
  "in a cluster": async () => {
    await steps(50);
    process.disconnect();
  },
  "a burst in one tick": () =>
    withRun({ session: "s" }, () => {
      for (let n = 0; n < Number(many); n++)
        withStep({ label: "node", id: `${name}-${n}` }, () => {});
    }),
};

async function workers(start) {
  const all = [start(), start()];
  await Promise.all([...all.map(endOf), steps(50)]);
}

async function endBy(...signals) {
  await steps(100);
  console.log("done");
  for (const signal of signals) process.kill(process.pid, signal);
  await setTimeout(10_000);
}

if (what === "nothing at all" && many !== "100") await steps(Number(many));
else await situations[what]();
if (isMainThread && !cluster.isWorker) console.log("done");
