import { once } from "node:events";
import { createServer } from "node:net";
import { JAEGER } from "./go-binary.ts";
import { getJson } from "./polling.ts";
import { startProgram } from "./running-program.ts";

/**
 * Starts a Collector with a configuration file and resolves when it says that it is healthy. The
 * binary is Jaeger's, which is a Collector with Jaeger's parts added.
 *
 * @param variables what the file takes from the environment
 * @param healthAddress where its `healthcheckv2` extension answers, as `host:port`
 * @throws when it doesn't become healthy, with what it wrote.
 */
export function startCollector(
  configFile: string,
  variables: Readonly<Record<string, string>>,
  healthAddress: string,
): Promise<AsyncDisposable> {
  return startProgram(JAEGER, {
    args: ["--config", configFile],
    variables,
    isReady: async () => (await getJson(`http://${healthAddress}/status`))?.["healthy"] === true,
    patienceMillis: 10_000,
  });
}

/** Addresses that nothing listens on: all are held at once, then let go. */
export async function freeAddresses(count: number): Promise<readonly string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const addresses = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return addresses;
}
