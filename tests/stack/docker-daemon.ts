import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "./polling.ts";

/** A Docker daemon that answers. */
export interface DockerDaemon {
  /** For `DOCKER_HOST`; absent when the daemon is where clients look anyway. */
  readonly host?: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Runs `docker` with these arguments; what it says. */
export type Docker = (...args: readonly string[]) => Promise<string>;

/** The client of a daemon. */
export function dockerOf({ host }: DockerDaemon): Docker {
  const env = { ...process.env, ...(host !== undefined && { DOCKER_HOST: host }) };
  return async (...args) => (await promisify(execFile)("docker", args, { env })).stdout.trim();
}

/** The Docker daemon at hand, else one started for us where `dockerd` and the rights exist, else undefined. */
export async function findDockerDaemon(): Promise<DockerDaemon | undefined> {
  if (answers({})) return { [Symbol.asyncDispose]: async () => {} };
  if (process.getuid?.() !== 0 || spawnSync("dockerd", ["--version"]).status !== 0)
    return undefined;

  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-dockerd-"));
  const host = `unix://${dir}/docker.sock`;
  const child = spawn(
    "dockerd",
    [
      `--data-root=${dir}/data`,
      `--exec-root=${dir}/exec`,
      `--pidfile=${dir}/pid`,
      `--host=${host}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (piece) => {
    said += piece;
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await until(
      "a Docker daemon that answers",
      async () => child.exitCode !== null || answers({ DOCKER_HOST: host }) || undefined,
    );
    if (child.exitCode === null) return { host, [Symbol.asyncDispose]: stop };
  } catch {
    // It runs and never answers: as good as none.
  }
  await stop();
  console.warn(`dockerd was started and does not answer:\n${said}`);
  return undefined;
}

function answers(variables: Readonly<Record<string, string>>): boolean {
  const env = { ...process.env, ...variables };
  return spawnSync("docker", ["info"], { env, timeout: 5_000 }).status === 0;
}
