import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../architecture/packages.ts";
import { freeAddresses } from "./free-addresses.ts";
import { COLLECTOR, goBinary } from "./go-binary.ts";
import { answers } from "./polling.ts";
import { startProgram } from "./running-program.ts";

/** A running Collector. */
export interface Collector extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly otlpEndpoint: string;
}

/**
 * Validates a file of `collector-config/`, starts a Collector with it on free loopback ports, and resolves when it says that it is
 * healthy.
 *
 * @param variables what the file takes from the environment, but for the Collector's own addresses
 * @throws when the file is none, or it doesn't become healthy, with what it wrote.
 */
export async function startCollector(
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<Collector> {
  const [http = "", grpc = "", health = "", metrics = ""] = await freeAddresses(4);
  const all = {
    COLLECTOR_OTLP_HTTP_ADDRESS: http,
    COLLECTOR_OTLP_GRPC_ADDRESS: grpc,
    COLLECTOR_HEALTH_ADDRESS: health,
    COLLECTOR_METRICS_PORT: String(metrics.split(":")[1]),
    ...variables,
  };
  await validateCollectorConfig(file, all);
  const running = await startProgram(goBinary(COLLECTOR), {
    args: ["--config", configPath(file)],
    variables: all,
    isReady: () => answers(`http://${health}`),
    patienceMillis: 60_000,
  });
  return { ...running, otlpEndpoint: `http://${http}` };
}

/** @throws when a file of `collector-config/` is none, with what the Collector says. */
export async function validateCollectorConfig(
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const args = ["validate", "--config", configPath(file)];
  await promisify(execFile)(goBinary(COLLECTOR), args, { env: variables });
}

function configPath(file: string): string {
  return join(ROOT, "collector-config", file);
}
