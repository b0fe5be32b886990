import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeAddresses } from "./free-addresses.ts";
import { answers } from "./polling.ts";
import { PHOENIX, pythonProgram } from "./python-program.ts";
import { startProgram } from "./running-program.ts";

/** A running Phoenix. */
export interface Phoenix extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`, and the query API. */
  readonly url: string;
}

/** Starts a Phoenix of its own, with a database in a directory that goes with it, on free loopback ports. */
export async function startPhoenix(): Promise<Phoenix> {
  const [http = "", grpc = ""] = await freeAddresses(2);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-phoenix-"));
  const url = `http://${http}`;
  const running = await startProgram(pythonProgram(PHOENIX), {
    args: ["serve"],
    cwd: dir,
    variables: {
      HOME: dir,
      PHOENIX_WORKING_DIR: dir,
      PHOENIX_HOST: "127.0.0.1",
      PHOENIX_PORT: http.split(":")[1] ?? "",
      PHOENIX_GRPC_PORT: grpc.split(":")[1] ?? "",
      PHOENIX_TELEMETRY_ENABLED: "false",
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: "false",
    },
    isReady: () => answers(`${url}/healthz`),
    patienceMillis: 240_000,
    tidy: () => rm(dir, { recursive: true, force: true }),
  });
  return { ...running, url };
}
