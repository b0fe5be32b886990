import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startServer } from "./loaded-server.mjs";

const CLI = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** `thoughtflow serve` in a directory of its own, on a free port. */
export async function startReceiver(more = {}) {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-benchmark-"));
  const env = { ...process.env, THOUGHTFLOW_SERVER_PORT: "0", ...more };
  const server = startServer(process.execPath, [CLI, "serve", "--dir", dir], env);
  const lines = createInterface({ input: server.stdout });
  const [first] = await new Promise((resolve) => lines.once("line", (line) => resolve([line])));
  return {
    ...server,
    dir,
    url: `${/http:\S+?(?=\/v1)/.exec(first)?.[0]}/v1/traces`,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
