import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { freeAddresses } from "./free-addresses.ts";
import { answers } from "./polling.ts";
import { startProgram } from "./running-program.ts";

/** A running Prometheus. */
export interface Prometheus extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts Debian's Prometheus with `deploy/prometheus/`, once a second, on a free loopback port.
 *
 * @param receiver what it scrapes, as `http://host:port`
 */
export async function startPrometheus(receiver: string): Promise<Prometheus> {
  const [address = ""] = await freeAddresses(1);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-prometheus-"));
  const own = (file: string) => readFile(join(ROOT, "deploy", "prometheus", file), "utf8");
  const config = (await own("prometheus.yml"))
    .replaceAll("15s", "1s")
    .replace("/run/secrets/thoughtflow_token", join(dir, "token"))
    .replace("thoughtflow:4318", new URL(receiver).host);
  await writeFile(join(dir, "token"), "none");
  await writeFile(join(dir, "prometheus.yml"), config);
  await writeFile(join(dir, "alerts.yml"), await own("alerts.yml"));
  const url = `http://${address}`;
  const running = await startProgram("prometheus", {
    args: [
      `--config.file=${join(dir, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(dir, "data")}`,
      `--web.listen-address=${address}`,
      "--log.level=error",
    ],
    isReady: () => answers(`${url}/-/ready`),
    patienceMillis: 60_000,
    tidy: () => rm(dir, { recursive: true, force: true }),
  });
  return { ...running, url };
}
