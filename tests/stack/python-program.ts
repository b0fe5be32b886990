import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOOL_CACHE } from "./tool-cache.ts";

/** A program that is installed from the Python index. */
export interface PythonProgram {
  /** Of its command. */
  readonly name: string;
  readonly distribution: string;
  readonly version: string;
  /** The commands of a Python that it works with. Default: 3.12 and newer. */
  readonly pythons?: readonly string[];
}

export const PHOENIX: PythonProgram = {
  name: "phoenix",
  distribution: "arize-phoenix",
  version: "20.3.0",
};

/** Has the schemas of Kubernetes in it. */
export const KUBERNETES_VALIDATE: PythonProgram = {
  name: "kubernetes-validate",
  distribution: "kubernetes-validate",
  version: "1.37.0",
};

/** Python with what the page on other languages installs. */
export const PYTHON_WITH_OTEL: PythonProgram = {
  name: "python",
  distribution: "opentelemetry-exporter-otlp-proto-http",
  version: "1.45.2",
  pythons: ["python3"],
};

/** Phoenix fails at its import in Python 3.11. */
const PYTHONS = ["python3.12", "python3.13"];

/**
 * The path of a program's command: installed when it is first asked for (Phoenix: two minutes), then kept.
 *
 * @throws when no fitting Python is there or the installation fails, with the command that was tried.
 */
export function pythonProgram({
  name,
  distribution,
  version,
  pythons = PYTHONS,
}: PythonProgram): string {
  const kept = join(TOOL_CACHE, `${name}-${version}`);
  const program = join(kept, "bin", name);
  // Written last: an environment can't be moved into its place, and a killed installation must not look whole.
  const whole = join(kept, "whole");
  if (existsSync(whole)) return program;

  const python = pythons.find((one) => spawnSync(one, ["--version"]).status === 0);
  if (python === undefined)
    throw new Error(`${name} needs ${pythons.join(" or ")} on PATH: the stack tests install it.`);
  console.error(`Installing ${name} ${version} into ${kept}, once …`);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(TOOL_CACHE, { recursive: true });
  run(python, ["-m", "venv", kept]);
  run(join(kept, "bin", "pip"), [
    "install",
    "--quiet",
    "--retries=10",
    "--timeout=60",
    `${distribution}==${version}`,
  ]);
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
