import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@thoughtflow/schema";
import { createReplayServer, loadExchanges } from "@thoughtflow/testkit";
import { documentsIn } from "./documents-in.ts";

/** What an app said, and the sessions it left behind. */
export interface FinishedApp {
  readonly stdout: string;
  /** The texts of the sessions' documents, by file name. */
  readonly documents: ReadonlyMap<string, string>;
  /** The files of the flow directory, in the order of their names. */
  readonly sessions: readonly Session[];
}

/**
 * Runs an app of `tests/stack/apps` with the register hook and nothing else, against a loopback
 * server that answers with a recording.
 *
 * @throws when the app fails, with what it wrote to stderr.
 */
export async function runApp(
  app: string,
  recording: string | undefined,
  variables: Readonly<Record<string, string>>,
): Promise<FinishedApp> {
  await using server = await createReplayServer(recording ? loadExchanges(recording) : []);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-stack-"));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "@thoughtflow/node/register", app],
      {
        cwd: join(import.meta.dirname, "apps"),
        env: {
          PATH: process.env["PATH"],
          OPENAI_API_KEY: "none",
          OPENAI_BASE_URL: `${server.url}/v1`,
          THOUGHTFLOW_DIR: dir,
          ...variables,
        },
      },
    );
    const documents = await documentsIn(dir);
    const sessions = Array.from(documents.values(), (text): Session => JSON.parse(text));
    return { stdout, documents, sessions };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
