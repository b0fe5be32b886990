import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { readJournals } from "@thoughtflow/journal";
import type { FlowRecord, Session, Step } from "@thoughtflow/schema";
import { createReplayServer, type Exchange } from "@thoughtflow/testkit";
import { type ExpectedStep, expectedSteps } from "./expected-step.ts";

const APP = join(import.meta.dirname, "app.mjs");
const REGISTER = join(import.meta.dirname, "../../packages/node/dist/register.js");

/** One recording: its name, and its exchanges in wire order. */
export interface Recording {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** What came of one exchange: the app's own result without and with us, and the step it left. */
export interface ReplayedCall {
  readonly recording: string;
  readonly expected: ExpectedStep;
  readonly bare: unknown;
  readonly instrumented: unknown;
  readonly step: Step | undefined;
}

export interface Replay {
  readonly calls: readonly ReplayedCall[];
  readonly sessions: readonly Session[];
  /** The text of each session's file. */
  readonly files: readonly string[];
  /** What the journal holds: all that the sessions were assembled from. */
  readonly records: readonly FlowRecord[];
  /** The bytes of all journal files. */
  readonly journal: Buffer;
  /** Standard error of the instrumented app. */
  readonly stderr: string;
}

/** Runs an app that knows nothing but openai over the recordings, once bare and once with the register hook and `settings`. */
export async function replayRecordings(
  recordings: readonly Recording[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Replay> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-replay-"));
  try {
    const bare = await runApp(recordings, dir, [], {});
    const instrumented = await runApp(recordings, dir, ["--import", pathToFileURL(REGISTER).href], settings);
    const files = await readFiles(join(dir, "thoughtflow"));
    const sessions: Session[] = files.map((text) => JSON.parse(text));
    const steps = sessions
      .flatMap((session) => session.conversations.flatMap((run) => run.steps))
      .filter((step) => step.origin === "recorded")
      .toSorted((a, b) => startOf(a) - startOf(b));
    const calls = bare.planned.map(({ recording, expected }, i) => ({
      recording,
      expected,
      bare: bare.outcomes[i],
      instrumented: instrumented.outcomes[i],
      step: expected.label === undefined ? undefined : steps.shift(),
    }));
    const records = await readJournals(join(dir, "thoughtflow"));
    const journal = await readSegments(join(dir, "thoughtflow", ".journal"));
    return { calls, sessions, files, records, journal, stderr: instrumented.stderr };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The app makes one call after the other, so their order is that of the steps. */
function startOf(step: Step): number {
  return Date.parse(step.started_at ?? "");
}

async function runApp(recordings: readonly Recording[], dir: string, execArgv: readonly string[], settings: Readonly<Record<string, string>>) {
  const servers = [];
  const planned: { recording: string; expected: ExpectedStep }[] = [];
  const manifest = [];
  for (const [index, { name, exchanges }] of recordings.entries()) {
    // Streams are cut at random byte offsets, of which each recording has its own.
    const server = await createReplayServer(exchanges, { splitSeed: index + 1 });
    servers.push(server);
    for (const expected of expectedSteps(exchanges)) {
      planned.push({ recording: name, expected });
      manifest.push({ baseURL: `${server.url}/v1`, ...expected.call });
    }
  }
  const manifestFile = join(dir, "manifest.json");
  const reportFile = join(dir, "report.json");
  await writeFile(manifestFile, JSON.stringify(manifest));
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [...execArgv, APP, manifestFile, reportFile],
    { env: { ...process.env, THOUGHTFLOW_DIR: join(dir, "thoughtflow"), NODE_OPTIONS: "", ...settings }, maxBuffer: 1 << 26 },
  );
  for (const server of servers) await server.close();
  const outcomes: unknown[] = JSON.parse(await readFile(reportFile, "utf8"));
  return { planned, outcomes, stderr };
}

async function readFiles(dir: string): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".json"));
  return Promise.all(names.toSorted().map((name) => readFile(join(dir, name), "utf8")));
}

async function readSegments(dir: string): Promise<Buffer> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".tfj"));
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(dir, name)))));
}
