import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runNode } from "../setups/run-app.ts";

const apps = join(import.meta.dirname, "apps");

/** A step that an agent said had ended, before it was killed. */
export interface EndedStep {
  readonly id: string;
  /** Of the agent's event loop. */
  readonly loopMs: number;
}

/** Starts an agent that works until it is stopped. */
function startAgent(dir: string, session: string): ChildProcess {
  return spawn(process.execPath, [join(apps, "busy-agent.mjs"), session], {
    env: { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/**
 * Lets an agent work until so many steps have ended, and part of a beat of its timers longer, and kills it; answers the
 * steps that had ended by then.
 */
export async function killAgent(
  dir: string,
  session: string,
  steps: number,
): Promise<readonly EndedStep[]> {
  const agent = startAgent(dir, session);
  let text = "";
  const endedSteps = () =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(" "))
      .map(([id = "", loopMs]) => ({ id, loopMs: Number(loopMs) }));
  agent.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    if (endedSteps().length >= steps) setTimeout(() => agent.kill("SIGKILL"), steps % 10);
  });
  await once(agent, "close");
  return endedSteps();
}

/** Starts some other process on the directory, which works a little in a session of its own and ends. */
export async function startAnother(dir: string): Promise<void> {
  const env = { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir };
  const { code, stderr } = await runNode([join(apps, "busy-agent.mjs"), "another", "5"], env);
  if (code !== 0 || stderr !== "") throw new Error(`it ended with ${code}: ${stderr}`);
}
