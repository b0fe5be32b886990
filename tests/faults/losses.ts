// `node --conditions=@thoughtflow/source tests/faults/losses.ts`: of a hundred spans, how many are lost by each ending;
// the SDK's own way with its defaults beside the ThoughtFlow file, in one run. Prints the table of docs/reliability.md.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverFlows } from "@thoughtflow/processor/recovery";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import { stepIds, verifyFlows } from "./verify-flows.ts";

const apps = join(import.meta.dirname, "apps");
const ENDINGS = [
  "nothing at all",
  "process.exit(3)",
  "an error",
  "a rejection",
  "SIGTERM",
  "SIGINT twice",
  "SIGKILL",
];
const PATH = process.env["PATH"];

async function lostBySdk(ending: string): Promise<number> {
  await using receiver = await createOtlpReceiver();
  const env = { PATH, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  await once(
    spawn(process.execPath, [join(apps, "sdk.mjs"), ending], { env, stdio: "ignore" }),
    "exit",
  );
  return 100 - receiver.spans.length;
}

async function lostInFile(ending: string): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-losses-"));
  try {
    const env = { PATH, THOUGHTFLOW_DIR: dir };
    spawnSync(process.execPath, [join(apps, "steps.mjs"), ending], { env, stdio: "ignore" });
    await recoverFlows(dir);
    const { sessions } = await verifyFlows(dir);
    return 100 - stepIds(sessions[0]).length;
  } finally {
    await rm(dir, { recursive: true });
  }
}

console.log(
  "| ending | lost by the SDK's batch processor | lost in the ThoughtFlow file |\n|---|---|---|",
);
for (const ending of ENDINGS) {
  console.log(
    `| ${ending} | ${await lostBySdk(ending)} of 100 | ${await lostInFile(ending)} of 100 |`,
  );
}
