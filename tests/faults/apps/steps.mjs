// Ends a hundred steps of the session "s" and meets, on the way, with what its argument names. "done" goes to stdout.
import { fork, spawn } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread, threadId, Worker } from "node:worker_threads";
import { trace } from "@opentelemetry/api";
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

function linkOf(fd) {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
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
  "an error at its end": async () => {
    await steps(100);
    process.on("exit", () => {
      throw new Error("of the app");
    });
  },
  "an error at the beginning of its end": async () => {
    await steps(100);
    process.prependListener("exit", () => {
      throw new Error("of the app");
    });
  },
  "an error at the end of process.exit()": async () => {
    await steps(100);
    process.on("exit", () => {
      throw new Error("of the app");
    });
    process.exit();
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
  "its mask taking away all rights": async () => {
    process.umask(0o777);
    await steps(100);
  },
  "its descriptors closed": () =>
    around(async () => {
      const all = readdirSync("/proc/self/fd").map(Number);
      for (const fd of all.filter((one) => linkOf(one).startsWith(dir))) closeSync(fd);
      // It gets the number that has become free.
      openSync(`${dir}.of-the-app`, "w");
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
  "a full disk that is cleared": () =>
    around(async () => {
      globalThis.fault.begin();
      await steps(50, 100);
      await flow?.flush();
      globalThis.fault.end();
    }),
  "a slow disk": async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    // What makes documents is loaded with the first.
    await steps(1, 100);
    await flow?.flush();
    globalThis.fault?.begin();
    delay.enable();
    await around(() => {});
    delay.disable();
    if (flow !== undefined) console.log(`longest delay ${Math.ceil(delay.max / 1e6)} ms`);
  },
  "frozen after a flush": async () => {
    await steps(100);
    await flow?.flush();
    console.log("flushed");
    process.kill(process.pid, "SIGSTOP");
  },
  "frozen after a shutdown": async () => {
    {
      await using _ = flow;
      await steps(100);
    }
    console.log("flushed");
    process.kill(process.pid, "SIGSTOP");
  },
  "asleep for a while": () =>
    around(() => {
      const waker = spawn("/bin/sh", ["-c", `sleep 1; kill -CONT ${process.pid}`], {
        stdio: "ignore",
      });
      waker.unref();
      process.kill(process.pid, "SIGSTOP");
    }),
  "spans that nobody ends": async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const tracer = trace.getTracer("app");
    const words = "x".repeat(1_000);
    const used = async () => {
      await setTimeout(300);
      collect();
      return process.memoryUsage().heapUsed;
    };
    await withRun({ session: "s" }, async () => {
      const before = await used();
      for (let n = 0; n < Number(many); n += 1) {
        tracer.startSpan("leaked", { attributes: { words: `${words}${n}` } });
        // As long as somebody can still end them they are held.
        if (n % 2_000 === 0) await setTimeout(120);
      }
      await flow?.flush();
      console.log(`${Math.round(((await used()) - before) / 2 ** 20)} MiB`);
    });
  },
  "a clock that goes a day back": () => around(() => setClock(-day)),
  "a clock that goes a day ahead": () => around(() => setClock(day)),
  "a clock at 1970": () => around(() => setClock(-Date.now())),
  "a clock at 2106": () => around(() => setClock(2 ** 32 * 1000 - Date.now())),
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
