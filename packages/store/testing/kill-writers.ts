import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { createRandom } from "@thoughtflow/testkit";

/** A process of `worker.ts`, and which sessions it may write. */
interface Job {
  readonly what: "write" | "derive";
  readonly first: number;
  readonly last: number;
}

/** What came of it. */
export interface Killings {
  readonly kills: number;
  /** Sessions that some writer was told are durable. */
  readonly acknowledged: ReadonlySet<number>;
}

const WORKER = join(import.meta.dirname, "worker.ts");

/** Keeps the jobs' processes running and kills them at random moments, as often as is said; then lets them end by themselves. */
export async function killWriters(
  url: string,
  jobs: readonly Job[],
  kills: number,
  seed: number,
): Promise<Killings> {
  const random = createRandom(seed);
  const acknowledged = new Set<number>();
  let killed = 0;

  async function keepRunning({ what, first, last }: Job): Promise<void> {
    while (killed < kills) {
      const child = start([what, url, String(first), String(last)]);
      await new Promise<void>((resolve, reject) => {
        child.on("message", (said) => {
          if (typeof said === "number") acknowledged.add(said);
          // Somewhere in what it does next.
          if (said === "ready") setTimeout(() => child.kill("SIGKILL"), random() * 80);
        });
        child.once("exit", (code, signal) =>
          signal === "SIGKILL" ? resolve() : reject(new Error(`${what} ended with ${code}`)),
        );
      });
      killed++;
    }
  }

  await Promise.all(jobs.map(keepRunning));
  return { kills: killed, acknowledged };
}

/** Runs each job once, from its beginning to its end, one after the other. */
export async function runOnce(url: string, jobs: readonly Job[]): Promise<void> {
  for (const { what, first, last } of jobs) {
    const child = start([what, url, String(first), String(last)]);
    child.once("message", () => child.send("end"));
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) throw new Error(`${what} ended with ${code}`);
  }
}

function start(args: readonly string[]): ChildProcess {
  return fork(WORKER, [...args], { execArgv: ["--conditions=@thoughtflow/source"] });
}
