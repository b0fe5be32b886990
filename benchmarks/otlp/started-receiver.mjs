import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startServer } from "./loaded-server.mjs";

const PLAIN = fileURLToPath(new URL("plain-server.mjs", import.meta.url));
const CLI = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** `thoughtflow serve` in a directory of its own, on a free port. */
export async function startReceiver(more = {}) {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-benchmark-"));
  const env = { ...process.env, THOUGHTFLOW_SERVER_PORT: "0", ...more };
  const server = startServer(process.execPath, [CLI, "serve", "--dir", dir], env);
  const first = await firstLine(server);
  return {
    ...server,
    dir,
    url: `${/http:\S+?(?=\/v1)/.exec(first)?.[0]}/v1/traces`,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** A server of Node that does nothing but `bare`, `append` or `decode`. */
export async function startPlainServer(work) {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-benchmark-"));
  const server = startServer(process.execPath, [PLAIN, work, dir]);
  return {
    ...server,
    url: `http://127.0.0.1:${await firstLine(server)}/v1/traces`,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

async function firstLine({ stdout }) {
  const lines = createInterface({ input: stdout });
  const [first] = await new Promise((resolve) => lines.once("line", (line) => resolve([line])));
  return first;
}
