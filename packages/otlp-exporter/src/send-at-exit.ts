import type { RequestOptions } from "node:https";
import { Worker } from "node:worker_threads";
import type { OtlpDestination } from "./options.ts";

/** What the sending thread is given. */
interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: OtlpDestination["tls"];
  readonly bodies: readonly Uint8Array[];
  /** The first cell counts the requests that are decided, the others say for each whether it was accepted (1). */
  readonly outcomes: Int32Array;
}

/**
 * Sends request bodies while the process is already ending: the only thread that may still wait for the network
 * is another one, so a worker sends and this thread sleeps until it has, for `patienceMillis` at most.
 *
 * @returns for each body whether the receiver accepted it
 */
export function sendAtExit(
  destination: Pick<OtlpDestination, "url" | "headers" | "protocol" | "tls">,
  bodies: readonly Uint8Array[],
  patienceMillis: number,
): readonly boolean[] {
  if (bodies.length === 0 || isForbidden()) return bodies.map(() => false);
  const { url, tls, protocol } = destination;
  const contentType = protocol === "http/json" ? "application/json" : "application/x-protobuf";
  const headers = { ...destination.headers, "content-type": contentType };
  const outcomes = new Int32Array(new SharedArrayBuffer(4 * (bodies.length + 1)));
  const workerData: Outgoing = { url, headers, tls, bodies, outcomes };
  try {
    // Bundlers that keep the names of functions put calls of `__name` into them.
    const source = `const __name = (value) => value; (${send.toString()})()`;
    // Nothing of the app's start may run in there: no --import, no NODE_OPTIONS.
    const worker = new Worker(source, { eval: true, execArgv: [], env: {}, workerData });
    waitForAll(outcomes, bodies.length, patienceMillis);
    // A process that goes on after all is not held up by it, and nothing arrives that was said to be unsent.
    void worker.terminate();
  } catch {
    return bodies.map(() => false);
  }
  return bodies.map((_, index) => Atomics.load(outcomes, index + 1) === 1);
}

function waitForAll(outcomes: Int32Array, count: number, patienceMillis: number): void {
  const deadline = performance.now() + patienceMillis;
  for (;;) {
    const decided = Atomics.load(outcomes, 0);
    const left = deadline - performance.now();
    if (decided === count || left <= 0) return;
    Atomics.wait(outcomes, 0, decided, left);
  }
}

/** Node's permission model may withhold threads; asking for one then ends in an error on stderr. */
function isForbidden(): boolean {
  const { permission } = process;
  return permission !== undefined && !permission.has("worker");
}

/** Runs in the worker, from its source text: it must not refer to anything outside itself. */
function send(): void {
  const { workerData } = process.getBuiltinModule("node:worker_threads");
  const { url, headers, tls, bodies, outcomes }: Outgoing = workerData;
  const isSecure = url.startsWith("https:");
  const { request } = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const { readFileSync } = process.getBuiltinModule("node:fs");

  async function sendOne(body: Uint8Array, index: number): Promise<void> {
    try {
      const pem = Object.entries(tls).map(([name, path]) => [name, readFileSync(path)]);
      await post(body, { method: "POST", headers, ...Object.fromEntries(pem) });
      Atomics.store(outcomes, index + 1, 1);
    } catch {
      // It stays as it is: not accepted.
    }
    Atomics.add(outcomes, 0, 1);
    Atomics.notify(outcomes, 0);
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

  for (const [index, body] of bodies.entries()) void sendOne(body, index);
}
