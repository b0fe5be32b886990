import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeAddresses } from "./free-addresses.ts";
import { answers } from "./polling.ts";
import { startProgram } from "./running-program.ts";
import { TOOL_CACHE } from "./tool-cache.ts";

/** A running Phoenix. */
export interface Phoenix extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`, and the query API. */
  readonly url: string;
}

const VERSION = "20.3.0";
/** Python 3.11 fails at its import. */
const PYTHONS = ["python3.12", "python3.13"];

/**
 * The path of Phoenix's command: installed from the Python index when it is first asked for, then kept.
 *
 * @throws when no fitting Python is there or the installation fails, with the command that was tried.
 */
export function phoenixProgram(): string {
  const kept = join(TOOL_CACHE, `phoenix-${VERSION}`);
  const program = join(kept, "bin", "phoenix");
  // Written last: an environment can't be moved into its place, and a killed installation must not look whole.
  const whole = join(kept, "whole");
  if (existsSync(whole)) return program;

  const python = PYTHONS.find((one) => spawnSync(one, ["--version"]).status === 0);
  if (python === undefined)
    throw new Error(`Phoenix needs ${PYTHONS.join(" or ")} on PATH: the stack tests install it.`);
  console.error(`Installing Phoenix ${VERSION} into ${kept}: about two minutes, once …`);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(TOOL_CACHE, { recursive: true });
  run(python, ["-m", "venv", kept]);
  run(join(kept, "bin", "pip"), ["install", "--quiet", `arize-phoenix==${VERSION}`]);
  writeFileSync(whole, "");
  return program;
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: "1" },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stderr}`);
}

/** Starts a Phoenix of its own, with a database in a directory that goes with it, on free loopback ports. */
export async function startPhoenix(): Promise<Phoenix> {
  const [http = "", grpc = ""] = await freeAddresses(2);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-phoenix-"));
  const url = `http://${http}`;
  const running = await startProgram(phoenixProgram(), {
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
