import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { goBinary, JAEGER } from "./go-binary.ts";
import { getJson, until } from "./polling.ts";

/**
 * Starts a Collector with a configuration file and resolves when it says that it is healthy. The
 * binary is Jaeger's, which is a Collector with Jaeger's parts added.
 *
 * @param variables what the file takes from the environment
 * @param healthAddress where its `healthcheckv2` extension answers, as `host:port`
 * @throws when it doesn't become healthy, with what it wrote.
 */
export async function startCollector(
  configFile: string,
  variables: Readonly<Record<string, string>>,
  healthAddress: string,
): Promise<AsyncDisposable> {
  const child = spawn(goBinary(JAEGER), ["--config", configFile], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], ...variables },
  });
  // A test that ran out of time has nobody left to stop it.
  process.once("exit", () => child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    // Asked politely it waits ten seconds for connections that are kept alive, and it keeps nothing.
    child.kill("SIGKILL");
    await exited;
  };
  try {
    await until("a healthy Collector", async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
      const status = await getJson(`http://${healthAddress}/status`);
      return status?.["healthy"] === true || undefined;
    });
  } catch (error) {
    await stop();
    throw new Error(`no Collector with ${configFile}: ${said}`, { cause: error });
  }
  return { [Symbol.asyncDispose]: stop };
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
