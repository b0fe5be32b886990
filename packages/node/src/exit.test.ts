import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import { describe, expect, test } from "vitest";

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ending> {
  const nodeArgs = ["--conditions=@thoughtflow/source", ...args];
  const env = { PATH: process.env["PATH"], ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, nodeArgs, { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr });
    });
  });
}

const started = ["--import", fixture("start.mjs")];
const five = ["span 0", "span 1", "span 2", "span 3", "span 4"];

describe("a process that ends", () => {
  test.for([
    ["by itself", five],
    ["by itself with an exit code", five],
    ["by process.exit(0)", five],
    ["by process.exit(3) in a timer", five],
    ["by an error", five],
    ["by a rejection", five],
    ["by SIGTERM", five],
    ["by SIGINT", five],
    ["by SIGTERM that the app handles", [...five, "closing"]],
    ["by SIGTERM that the app handles slowly", [...five, "closing"]],
    ["by waiting for nothing", five],
    ["with work in its exit handler", [...five, "last"]],
    ["with work when it is idle", [...five, "idle work"]],
  ] as const)("%s delivers every span and ends as it would have", async ([ending, spans]) => {
    await using receiver = await createOtlpReceiver();
    const app = [fixture("endings.mjs"), ending];
    const [bare, observed] = await Promise.all([
      run(app),
      run([...started, ...app], { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }),
    ]);
    expect(observed).toEqual(bare);
    expect(receiver.spans.map(({ name }) => name)).toEqual(spans);
  });
});
