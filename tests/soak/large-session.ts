import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";

interface Told {
  readonly seconds: number;
  readonly cpu: number;
  readonly rssMiB: number;
  readonly blockedMs: number;
}

/**
 * One session of so many steps in one process: whole in its file, and the app's event loop goes on meanwhile. Answers
 * what is wrong; how long it takes and how much memory is told, since a busy machine says nothing about that.
 */
export async function largeSession(steps: number): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-soak-"));
  try {
    const { stdout, stderr } = await runApp(join(dir, "flows"), steps);
    const { recorded, written }: { recorded: Told; written: Told } = JSON.parse(stdout);
    print(`recorded ${steps} steps`, recorded);
    print("wrote their files", written);
    const session: Session = JSON.parse(await readFile(join(dir, "flows", "large.json"), "utf8"));
    const state = await stateIn(join(dir, "flows", ".journal"));
    const { size } = await stat(join(dir, "flows", "large.json"));
    const growth = state.bytesWritten.growth / size;
    console.log(
      `${(size / 2 ** 20).toFixed(0)} MiB; written ${state.documentsWritten} times, because it grew: ${growth.toFixed(1)} times its size`,
    );
    const problems: string[] = [];
    if (stderr !== "") problems.push(`stderr: ${stderr.slice(0, 300)}`);
    if (session.totals?.steps !== steps)
      problems.push(`${session.totals?.steps} steps instead of ${steps}`);
    if (growth > 6) problems.push(`growing cost ${growth.toFixed(1)} times the last size`);
    return problems;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function print(what: string, { seconds, cpu, rssMiB, blockedMs }: Told): void {
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, at most ${blockedMs.toFixed(0)} ms of CPU in one turn of the event loop, rss ${rssMiB.toFixed(0)} MiB`,
  );
}

/** Killed when it is done, so that the end of the process writes nothing a second time. */
function runApp(dir: string, steps: number): Promise<{ stdout: string; stderr: string }> {
  const args = [join(import.meta.dirname, "large-session-app.mjs"), dir, String(steps)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

async function stateIn(
  folder: string,
): Promise<{ documentsWritten: number; bytesWritten: { growth: number } }> {
  const name = (await readdir(folder)).find((one) => one.endsWith(".state.json")) ?? "";
  return JSON.parse(await readFile(join(folder, name), "utf8"));
}
