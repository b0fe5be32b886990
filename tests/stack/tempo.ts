import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { freeAddresses } from "./free-addresses.ts";
import { goBinary, TEMPO } from "./go-binary.ts";
import { answers } from "./polling.ts";
import { startProgram } from "./running-program.ts";

/** A running Tempo. */
export interface Tempo extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly otlpEndpoint: string;
  /** Of the query API. */
  readonly queryEndpoint: string;
}

/** Its ring wants to have been seen for a while. */
const READY_MILLIS = 90_000;

/**
 * Starts a Tempo of its own with `deploy/tempo/tempo.yaml`: one process, files in a directory that goes with it, free loopback
 * ports.
 *
 * @param variables what else the file takes from the environment
 */
export async function startTempo(variables: Readonly<Record<string, string>> = {}): Promise<Tempo> {
  const [otlp = "", http = "", grpc = "", gossip = ""] = await freeAddresses(4);
  const port = (address: string): string => address.split(":")[1] ?? "";
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-tempo-"));
  const config = join(ROOT, "deploy", "tempo", "tempo.yaml");
  const running = await startProgram(goBinary(TEMPO), {
    args: [`-config.file=${config}`, "-config.expand-env=true"],
    cwd: dir,
    variables: {
      TEMPO_HOST: "127.0.0.1",
      TEMPO_HTTP_PORT: port(http),
      TEMPO_GRPC_PORT: port(grpc),
      TEMPO_OTLP_ADDRESS: otlp,
      TEMPO_GOSSIP_PORT: port(gossip),
      TEMPO_DIR: dir,
      ...variables,
    },
    isReady: () => answers(`http://${http}/ready`),
    patienceMillis: READY_MILLIS,
    tidy: () => rm(dir, { recursive: true, force: true }),
  });
  return {
    ...running,
    otlpEndpoint: `http://${otlp}`,
    queryEndpoint: `http://${http}`,
  };
}
