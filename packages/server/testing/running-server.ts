import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFlowServer,
  type FlowServer,
  type FlowServerHooks,
  resolveServerOptions,
} from "../src/index.ts";

/** A server on a free port of loopback, over a directory of its own. */
export interface RunningServer {
  readonly dir: string;
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly server: FlowServer;
  readonly failures: readonly unknown[];
  /** With the token. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(body: Uint8Array | string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Ends it; the directory stays until `remove`. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export async function runningServer(
  options: Readonly<Record<string, unknown>> = {},
  hooks: FlowServerHooks = {},
): Promise<RunningServer> {
  const dir = mkdtempSync(join(tmpdir(), "server-"));
  const config = resolveServerOptions({ dir, port: 0, ...options });
  const failures: unknown[] = [];
  const server = createFlowServer(config, {
    onFailure: (problem) => failures.push(problem),
    ...hooks,
  });
  const { url, port } = await server.listen();
  const { token } = config;
  let isStopped = false;
  async function stop(): Promise<void> {
    if (!isStopped) await server.close();
    isStopped = true;
  }
  return {
    dir: config.dir,
    url,
    port,
    token,
    server,
    failures,
    get: (path, headers) =>
      fetch(url + path, { headers: { Authorization: `Bearer ${token}`, ...headers } }),
    post: (body, headers) =>
      fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: { "Content-Type": "application/x-protobuf", ...headers },
        body: body as Uint8Array<ArrayBuffer> | string,
      }),
    stop,
    async remove() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
