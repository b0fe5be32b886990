import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Told {
  readonly seconds: number;
  readonly cpu: number;
  readonly rssMiB: number;
  readonly blockedMs: number;
}

const CHARACTERS_A_RESULT = 400;
const LARGE_RESULT = 100 * 1024;

/**
 * One session of so many steps in one process: whole in its file, and the app's event loop goes on meanwhile. Answers
 * what is wrong; how long it takes and how much memory is told, since a busy machine says nothing about that.
 */
export function largeSession(steps: number): Promise<string[]> {
  return recordLarge(steps, CHARACTERS_A_RESULT);
}

/** The same of so many MiB of content, in results of 100 KiB: more than the memory should hold. */
export function largeContent(mebibytes: number): Promise<string[]> {
  return recordLarge(2 * Math.ceil((mebibytes * 2 ** 20) / LARGE_RESULT / 50) * 50, LARGE_RESULT);
}

async function recordLarge(steps: number, characters: number): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-soak-"));
  try {
    const { stdout, stderr } = await runApp(join(dir, "flows"), steps, characters);
    const { recorded, written }: { recorded: Told; written: Told } = JSON.parse(stdout);
    print(`recorded ${steps} steps`, recorded);
    print("wrote their files", written);
    const files = await filesOf(join(dir, "flows"));
    const { told, written: inFile } = await stepsIn(files);
    const state = await stateIn(join(dir, "flows", ".journal"));
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    const growth = state.bytesWritten.growth / size;
    console.log(
      `${(size / 2 ** 20).toFixed(0)} MiB in ${files.length} files; written ${state.documentsWritten} times, because it grew: ${growth.toFixed(1)} times its size`,
    );
    const problems: string[] = [];
    if (stderr !== "") problems.push(`stderr: ${stderr.slice(0, 300)}`);
    if (told !== steps || inFile !== steps)
      problems.push(`${inFile} steps, ${told} told, instead of ${steps}`);
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
function runApp(
  dir: string,
  steps: number,
  characters: number,
): Promise<{ stdout: string; stderr: string }> {
  const app = join(import.meta.dirname, "large-session-app.mjs");
  const args = [app, dir, String(steps), String(characters)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

/** The session's first file, and its parts. */
async function filesOf(flows: string): Promise<readonly string[]> {
  const parts = await readdir(join(flows, "large")).catch(() => []);
  return [join(flows, "large.json"), ...parts.map((name) => join(flows, "large", name))];
}

/** What its totals tell and what there is; the files may be longer than a text can be. */
async function stepsIn(files: readonly string[]): Promise<{ told: number; written: number }> {
  let [told, written] = [0, 0];
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line.startsWith('    "steps": ')) told ||= Number.parseInt(line.slice(13), 10);
      if (line.startsWith('          "step_id": ')) written++;
    }
  }
  return { told, written };
}

async function stateIn(
  folder: string,
): Promise<{ documentsWritten: number; bytesWritten: { growth: number } }> {
  const name = (await readdir(folder)).find((one) => one.endsWith(".state.json")) ?? "";
  return JSON.parse(await readFile(join(folder, name), "utf8"));
}
