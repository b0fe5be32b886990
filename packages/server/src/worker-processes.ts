import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry, type PrometheusContentType, type Registry } from "prom-client";
import { closeWhatDiesWith } from "./handed-connections.ts";
import type { ServerConfig } from "./server-options.ts";

/** Processes of the same program that share a port. */
export interface WorkerProcesses {
  /** Where all of them listen. */
  readonly port: number;
  /** Has them end as by SIGTERM; resolves with what they have done when all have. */
  close(): Promise<WorkDone>;
}

/** What a worker says when it ends. */
export interface WorkDone {
  readonly spans: number;
  readonly documents: number;
}

const SOON_MS = 500;
const METRICS = "thoughtflow:metrics";

/** Whether this process is one of those that share a port. */
export function isWorkerProcess(): boolean {
  return cluster.isWorker;
}

/**
 * Starts this program, which takes `--port`, with its arguments so many times more. Connections go to one after the other; whoever ends without having
 * been asked is replaced.
 *
 * @param onEnd hears of each that ended without having been asked
 * @returns `undefined` when the first one can't listen: it has said why
 */
export async function startWorkerProcesses(
  { workers: count, host, port }: Pick<ServerConfig, "workers" | "host" | "port">,
  env: Readonly<Record<string, string>>,
  onEnd: (pid: number | undefined, how: string) => void,
): Promise<WorkerProcesses | undefined> {
  const metrics = new AggregatorRegistry<PrometheusContentType>();
  const done = { spans: 0, documents: 0 };
  let isClosing = false;

  function start(): Promise<number | undefined> {
    const worker = cluster.fork(env);
    closeWhatDiesWith(worker);
    // One that goes while something is said to it; its exit tells more.
    worker.on("error", () => {});
    worker.on("message", (message: unknown) => {
      if (message === METRICS) void answer(worker);
      else if (isWorkDone(message)) {
        done.spans += message.spans;
        done.documents += message.documents;
      }
    });
    return new Promise((resolve) => {
      let listens = false;
      worker.once("listening", ({ port }) => {
        listens = true;
        resolve(port);
      });
      worker.once("exit", (code, signal) => {
        if (listens && !isClosing) void replace(worker.process.pid, signal || `with ${code}`);
        resolve(undefined);
      });
    });
  }

  async function replace(pid: number | undefined, how: string): Promise<void> {
    onEnd(pid, how);
    await sleep(SOON_MS);
    if (!isClosing && (await start()) === undefined) await replace(undefined, "before it listened");
  }

  async function answer(worker: Worker): Promise<void> {
    const text = await metrics.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ type: METRICS, text });
  }

  if (port === 0) {
    // One for all of them, also after all have died at the same time.
    cluster.setupPrimary();
    const args = [...(cluster.settings.args ?? []), "--port", String(await freePort(host))];
    cluster.setupPrimary({ args });
  }
  const shared = await start();
  if (shared === undefined) return undefined;
  await Promise.all(
    Array.from({ length: count - 1 }, async () => {
      if ((await start()) === undefined) await replace(undefined, "before it listened");
    }),
  );
  return {
    port: shared,
    async close() {
      isClosing = true;
      const workers = Object.values(cluster.workers ?? {}).filter((one) => one !== undefined);
      await Promise.all(
        workers.map(
          (worker) =>
            new Promise<void>((resolve) => {
              worker.once("exit", () => resolve());
              worker.process.kill("SIGTERM");
            }),
        ),
      );
      return done;
    },
  };
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Ends what holds this worker to the others, having said what it has done: without that it would stay. */
export function leaveWorkers(done?: WorkDone): Promise<void> {
  return new Promise((resolve) => {
    const leave = (): void => {
      process.disconnect();
      resolve();
    };
    if (done === undefined) leave();
    else process.send?.(done, undefined, {}, leave);
  });
}

/** Has the metrics of this worker added to those of the others. Answers what reads those of all; its own where that fails. */
export function shareMetrics(registry: Registry): () => Promise<string> {
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(registry);
  const waiting: ((text: string | undefined) => void)[] = [];
  process.on("message", (message: unknown) => {
    if (!isMetrics(message)) return;
    for (const resolve of waiting.splice(0)) resolve(message.text);
  });
  return async () => {
    const text = await new Promise<string | undefined>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) process.send?.(METRICS);
    });
    return text ?? registry.metrics();
  };
}

function isWorkDone(message: unknown): message is WorkDone {
  return typeof message === "object" && message !== null && "documents" in message;
}

function isMetrics(message: unknown): message is { readonly text?: string } {
  return (
    typeof message === "object" && message !== null && "type" in message && message.type === METRICS
  );
}
