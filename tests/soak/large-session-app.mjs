// One session of many steps, tool calls in runs of fifty, each with a result of so many characters; then its files.
// Prints what that took.
import { setTimeout, setImmediate as turn } from "node:timers/promises";
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withSession, withToolCall } from "@thoughtflow/tracing";

const [dir, steps, characters] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const CALLS_A_RUN = 50;
const STEPS_A_CALL = 2;
const WORDS = "what the tool found out, at some length; ";
const said = WORDS.repeat(Math.ceil(characters / WORDS.length));
const flow = startThoughtFlow({ dir, otlp: false });
let rss = 0;
let blocked = 0;
let isOver = false;

/** CPU time of this thread: unlike the time that passes, no other process adds to it. */
function threadCpu() {
  // Without this, the other one stands still for 4 ms at a time.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

async function watch() {
  for (let before = threadCpu(); !isOver; ) {
    await setTimeout(1);
    const after = threadCpu();
    blocked = Math.max(blocked, after - before);
    before = after;
    rss = Math.max(rss, process.memoryUsage.rss());
  }
}

function told(since) {
  const { user, system } = process.cpuUsage(since.cpu);
  const seconds = (performance.now() - since.at) / 1000;
  return { seconds, cpu: (user + system) / 1e6, rssMiB: rss / 2 ** 20, blockedMs: blocked };
}

function now() {
  blocked = 0;
  return { at: performance.now(), cpu: process.cpuUsage() };
}

const watched = watch();
const start = now();
await withSession({ id: "large" }, async () => {
  for (let run = 0; run < steps / STEPS_A_CALL / CALLS_A_RUN; run++) {
    await withRun({ name: `run ${run}` }, async () => {
      for (let n = 0; n < CALLS_A_RUN; n++) {
        await withToolCall({ name: "look", args: { run, n } }, async () => ({ run, n, said }));
        if (n % 10 === 9) await turn();
      }
    });
  }
});
const recorded = told(start);
const end = now();
await flow.flush();
const written = told(end);
isOver = true;
await watched;
// Once more, for the counters.
await flow.flush();
console.log(JSON.stringify({ recorded, written }));
process.kill(process.pid, "SIGKILL");
