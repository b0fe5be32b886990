import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Starts a Tempo of its own: one process, files in a directory that goes with it, free loopback ports. */
export async function startTempo(): Promise<Tempo> {
  const [otlp = "", http = "", grpc = "", gossip = ""] = await freeAddresses(4);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-tempo-"));
  const config = join(dir, "tempo.yaml");
  await writeFile(config, configuration({ otlp, http, grpc, gossip, dir }));
  const running = await startProgram(goBinary(TEMPO), {
    args: [`-config.file=${config}`],
    cwd: dir,
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

interface Places {
  readonly otlp: string;
  readonly http: string;
  readonly grpc: string;
  readonly gossip: string;
  readonly dir: string;
}

function configuration({ otlp, http, grpc, gossip, dir }: Places): string {
  const port = (address: string) => Number(address.split(":")[1]);
  return JSON.stringify({
    server: {
      http_listen_address: "127.0.0.1",
      http_listen_port: port(http),
      grpc_listen_address: "127.0.0.1",
      grpc_listen_port: port(grpc),
      log_level: "warn",
    },
    distributor: { receivers: { otlp: { protocols: { http: { endpoint: otlp } } } } },
    ingester: {
      lifecycler: {
        address: "127.0.0.1",
        ring: { kvstore: { store: "inmemory" }, replication_factor: 1 },
      },
      trace_idle_period: "1s",
      max_block_duration: "5s",
      flush_check_period: "1s",
    },
    memberlist: {
      bind_addr: ["127.0.0.1"],
      bind_port: port(gossip),
      abort_if_cluster_join_fails: false,
    },
    storage: {
      trace: {
        backend: "local",
        wal: { path: join(dir, "wal") },
        local: { path: join(dir, "blocks") },
      },
    },
    usage_report: { reporting_enabled: false },
  });
}
