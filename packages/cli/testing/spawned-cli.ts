import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** Starts the real command line as a process of its own, as it is built. */
export function startCli(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...argv], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs it to its end. */
export async function runCli(...args: Parameters<typeof startCli>) {
  const child = startCli(...args);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("both are pipes");
  const [out, err, [exitCode, signal]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, "exit"),
  ]);
  return { exitCode, signal, stdout: out, stderr: err };
}
