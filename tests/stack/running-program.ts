import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface RunningProgramOptions {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Asked ten times a second. */
  readonly isReady: () => Promise<boolean>;
  /** How long it may take until it is. */
  readonly patienceMillis: number;
  /** Done once it has ended. */
  readonly tidy?: () => Promise<void>;
}

/**
 * Starts a program and resolves when it is ready; disposed of, it ends at once: asked politely a Collector waits ten
 * seconds for connections that are kept alive, and none of them keeps anything.
 *
 * @throws when it doesn't become ready, with what it wrote.
 */
export async function startProgram(
  program: string,
  options: RunningProgramOptions,
): Promise<AsyncDisposable> {
  const { args, cwd, variables, isReady, patienceMillis, tidy } = options;
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], ...variables },
  });
  // A test that ran out of time has nobody left to stop it.
  const killAtExit = (): void => void child.kill("SIGKILL");
  process.once("exit", killAtExit);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    process.off("exit", killAtExit);
    child.kill("SIGKILL");
    await exited;
    await tidy?.();
  };
  const deadline = Date.now() + patienceMillis;
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`no ${program} with ${args.join(" ")}: ${said}`);
    }
    await sleep(100);
  }
  return { [Symbol.asyncDispose]: stop };
}
