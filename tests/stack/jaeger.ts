import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { freeAddresses } from "./free-addresses.ts";
import { goBinary, JAEGER } from "./go-binary.ts";
import { createJaegerClient, type JaegerClient } from "./jaeger-client.ts";
import { getJson } from "./polling.ts";
import { startProgram } from "./running-program.ts";

/** A running Jaeger: where spans go in, and a client for what comes out. */
export interface Jaeger extends JaegerClient, AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly otlpEndpoint: string;
  /** Of the query API. */
  readonly queryEndpoint: string;
}

/** Starts a Jaeger of its own with `deploy/jaeger/config.yaml`, in memory, on free loopback ports. */
export async function startJaeger(): Promise<Jaeger> {
  const [otlp = "", http = "", grpc = "", health = ""] = await freeAddresses(4);
  const running = await startProgram(goBinary(JAEGER), {
    args: ["--config", join(ROOT, "deploy", "jaeger", "config.yaml")],
    variables: {
      JAEGER_OTLP_ADDRESS: otlp,
      JAEGER_HTTP_ADDRESS: http,
      JAEGER_GRPC_ADDRESS: grpc,
      JAEGER_HEALTH_ADDRESS: health,
    },
    isReady: async () => (await getJson(`http://${health}/status`))?.["healthy"] === true,
    patienceMillis: 60_000,
  });
  return {
    ...createJaegerClient(`http://${http}`),
    ...running,
    otlpEndpoint: `http://${otlp}`,
    queryEndpoint: `http://${http}`,
  };
}
