import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { createReplayServer, type Exchange } from "@thoughtflow/testkit";

/** The register hook as it is built and published. */
export const REGISTER: string = join(import.meta.dirname, "../../packages/node/dist/register.js");

/** How a process ended, what it wrote, and the sessions that its flow directory holds. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly sessions: readonly Session[];
}

/** Runs Node with these arguments against a model that gives these answers, in a flow directory of its own. */
export async function runApp(
  args: readonly string[],
  exchanges: readonly Exchange[],
  environment: Readonly<Record<string, string>> = {},
  node: string = process.execPath,
): Promise<Ending> {
  await using server = await createReplayServer(exchanges);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-setups-"));
  try {
    const env = {
      PATH: process.env["PATH"],
      BASE_URL: `${server.url}/v1`,
      OPENAI_BASE_URL: `${server.url}/v1`,
      THOUGHTFLOW_DIR: join(dir, "thoughtflow"),
      ...environment,
    };
    const ending = await runNode(args, env, node);
    return { ...ending, sessions: await sessionsIn(env.THOUGHTFLOW_DIR) };
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Runs Node, with nothing of this process's environment but what is given. */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  node: string = process.execPath,
): Promise<Omit<Ending, "sessions">> {
  return new Promise((resolve) => {
    const child = execFile(node, args, { env, maxBuffer: 1 << 26 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** The documents of a flow directory, the earliest first; none where there is no directory. */
export async function sessionsIn(dir: string): Promise<Session[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith(".json"));
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), "utf8")));
  const sessions: Session[] = texts.map((text) => JSON.parse(text));
  return sessions.toSorted((a, b) => (a.started_at ?? "").localeCompare(b.started_at ?? ""));
}
