import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { documentsIn } from "./documents-in.ts";
import { freeAddresses } from "./free-addresses.ts";
import { answers } from "./polling.ts";
import { startProgram } from "./running-program.ts";

/** A running `thoughtflow serve`. */
export interface Receiver extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`, and with a path for its pages. */
  readonly url: string;
}

/** Where a receiver stands and writes, however often it is started there. */
export interface ReceiverPlace extends AsyncDisposable {
  readonly url: string;
  start(variables?: Readonly<Record<string, string>>): Promise<Receiver>;
  /** The sessions' documents, by file name. */
  documents(): Promise<ReadonlyMap<string, string>>;
}

/** A free port and a directory, which goes with it. */
export async function receiverPlace(): Promise<ReceiverPlace> {
  const [address = ""] = await freeAddresses(1);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-receiver-"));
  const url = `http://${address}`;
  const port = address.split(":")[1] ?? "";
  return {
    url,
    async start(variables = {}) {
      const running = await startProgram(process.execPath, {
        args: [join(ROOT, "packages/cli/dist/main.js"), "serve", "--port", port, "--dir", dir],
        variables,
        isReady: () => answers(`${url}/healthz`),
        patienceMillis: 60_000,
      });
      return { ...running, url };
    },
    documents: () => documentsIn(dir),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
