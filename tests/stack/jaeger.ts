import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { jaegerBinary } from "./jaeger-binary.ts";
import { createJaegerClient, type JaegerClient } from "./jaeger-client.ts";
import { getJson, until } from "./polling.ts";

/** A running Jaeger: where spans go in, and a client for what comes out. */
export interface Jaeger extends JaegerClient {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly otlpEndpoint: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Jaeger of its own, in memory, on free loopback ports; resolves when it says that it is healthy. */
export async function startJaeger(): Promise<Jaeger> {
  const binary = jaegerBinary();
  const [otlp, http, grpc, health] = await freeAddresses(4);
  const child = spawn(binary, ["--config", join(ROOT, "deploy", "jaeger", "config.yaml")], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      JAEGER_OTLP_ADDRESS: otlp,
      JAEGER_HTTP_ADDRESS: http,
      JAEGER_GRPC_ADDRESS: grpc,
      JAEGER_HEALTH_ADDRESS: health,
    },
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  };

  try {
    await until("a healthy Jaeger", async () => {
      if (child.exitCode !== null) throw new Error(`Jaeger ended with ${child.exitCode}: ${said}`);
      return (await getJson(`http://${health}/status`))?.["healthy"] === true ? true : undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    ...createJaegerClient(`http://${http}`),
    otlpEndpoint: `http://${otlp}`,
    [Symbol.asyncDispose]: stop,
  };
}

/** Addresses that nothing listens on: all are held at once, then let go. */
async function freeAddresses(count: number): Promise<readonly string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const addresses = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return addresses;
}
