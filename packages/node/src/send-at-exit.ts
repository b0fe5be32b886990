import type { RequestOptions } from "node:https";
import { Worker } from "node:worker_threads";
import type { OtlpConfig } from "./options.ts";

/** What the sending thread is given. */
interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: OtlpConfig["tls"];
  readonly bodies: readonly Uint8Array[];
  /** One cell: 0 while sending, then 1 when all was accepted, 2 otherwise. */
  readonly outcome: Int32Array;
}

const accepted = 1;

/**
 * Sends request bodies while the process is already ending: the only thread that may still wait for the network
 * is another one, so a worker sends and this thread sleeps until it has, for `patienceMillis` at most.
 *
 * @returns whether the receiver accepted all of them
 */
export function sendAtExit(
  config: OtlpConfig,
  bodies: readonly Uint8Array[],
  patienceMillis: number,
): boolean {
  if (isForbidden()) return false;
  const outcome = new Int32Array(new SharedArrayBuffer(4));
  const contentType =
    config.protocol === "http/json" ? "application/json" : "application/x-protobuf";
  const headers = { ...config.headers, "content-type": contentType };
  const workerData: Outgoing = { url: config.url, headers, tls: config.tls, bodies, outcome };
  try {
    // Bundlers that keep the names of functions put calls of `__name` into them.
    const source = `const __name = (value) => value; (${send.toString()})()`;
    // Nothing of the app's start may run in there: no --import, no NODE_OPTIONS.
    new Worker(source, { eval: true, execArgv: [], env: {}, workerData });
    Atomics.wait(outcome, 0, 0, patienceMillis);
  } catch {
    return false;
  }
  return Atomics.load(outcome, 0) === accepted;
}

/** Node's permission model may withhold threads; asking for one then ends in an error on stderr. */
function isForbidden(): boolean {
  const { permission } = process;
  return permission !== undefined && !permission.has("worker");
}

/** Runs in the worker, from its source text: it must not refer to anything outside itself. */
function send(): void {
  const { workerData } = process.getBuiltinModule("node:worker_threads");
  const { url, headers, tls, bodies, outcome }: Outgoing = workerData;
  const isSecure = url.startsWith("https:");
  const { request } = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const finish = (result: number) => {
    Atomics.store(outcome, 0, result);
    Atomics.notify(outcome, 0);
  };

  async function sendAll(): Promise<void> {
    const pem = Object.entries(tls).map(([name, path]) => [name, readFileSync(path)]);
    const options = { method: "POST", headers, ...Object.fromEntries(pem) };
    await Promise.all(bodies.map((body) => post(body, options)));
  }

  function post(body: Uint8Array, options: RequestOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const outgoing = request(url, options, (response) => {
        response.resume();
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new Error(`status ${statusCode}`));
      });
      outgoing.on("error", reject).end(body);
    });
  }

  sendAll().then(
    () => finish(1),
    () => finish(2),
  );
}
