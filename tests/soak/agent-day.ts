import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@thoughtflow/schema";
import { startAgentServer } from "./agent-server.ts";

interface Hour {
  readonly hour: number;
  readonly calls: number;
  readonly heldMiB: number;
  readonly rssMiB: number;
}

const MOST_MIB_AN_HOUR = 1;
/** What is loaded and set up once. */
const WARM_UP_HOURS = 3;

/** An agent that works for so many simulated hours in one session: whole in its file, and its memory does not grow. */
export async function agentDay(hours: number): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-soak-"));
  const server = await startAgentServer();
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ["--expose-gc", join(import.meta.dirname, "agent-day-app.mjs"), String(hours)],
      { env: { ...process.env, OPENAI_BASE_URL: server.url, THOUGHTFLOW_DIR: dir } },
    );
    const told: Hour[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const measured = told.slice(WARM_UP_HOURS);
    const held = slopeOf(measured.map(({ heldMiB }) => heldMiB));
    const rss = slopeOf(measured.map(({ rssMiB }) => rssMiB));
    const session: Session = JSON.parse(await readFile(join(dir, "day.json"), "utf8"));
    const last = told.at(-1);
    console.log(
      `${hours} hours, ${last?.calls} calls, ${session.totals?.steps} steps: held ${held.toFixed(2)} MiB more an hour, ${last?.heldMiB.toFixed(0)} MiB in the end; rss ${rss.toFixed(2)} MiB more, ${last?.rssMiB.toFixed(0)} MiB in the end`,
    );
    const problems: string[] = [];
    if (stderr !== "") problems.push(`stderr: ${stderr.slice(0, 300)}`);
    if (session.totals?.model_calls !== last?.calls)
      problems.push(`${last?.calls} calls, ${session.totals?.model_calls} in the file`);
    if (held > MOST_MIB_AN_HOUR) problems.push(`it holds ${held.toFixed(2)} MiB more an hour`);
    return problems;
  } finally {
    server.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Of the line that comes nearest to the values, by least squares. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = sum(values) / values.length;
  const products = values.map((value, x) => (x - middle) * (value - mean));
  const squares = values.map((_, x) => (x - middle) ** 2);
  return sum(products) / sum(squares);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
