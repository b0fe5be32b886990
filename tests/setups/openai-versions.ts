import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npmInstall } from "../packed/empty-project.ts";

const apps = join(import.meta.dirname, "apps");

/** One version of openai, installed beside apps that use it. */
export interface InstalledOpenAI {
  readonly version: string;
  /** Holds `calls-app.mjs` and `calls-app.cjs`. */
  readonly dir: string;
  /** The oldest major of Node that it says it runs on; 0 where it says nothing. */
  readonly oldestNode: number;
}

export async function installOpenAI(root: string, version: string): Promise<InstalledOpenAI> {
  const dir = await emptyProject(root, `openai-${version}`);
  // A zod that has both lines: every version's helpers find the one they know.
  await npmInstall(dir, [`openai@${version}`, "zod@3.25"]);
  await copyApps(dir);
  const manifest = join(dir, "node_modules", "openai", "package.json");
  const { engines } = JSON.parse(await readFile(manifest, "utf8"));
  const oldestNode = Number(/^>=(\d+)/.exec(engines?.node ?? "")?.[1] ?? 0);
  return { version, dir, oldestNode };
}

/** The same openai under a version that nobody has seen yet. */
export async function renameOpenAI(
  known: InstalledOpenAI,
  root: string,
  version: string,
): Promise<InstalledOpenAI> {
  const dir = await emptyProject(root, `openai-${version}`);
  await cp(join(known.dir, "node_modules"), join(dir, "node_modules"), { recursive: true });
  await copyApps(dir);
  for (const name of ["package.json", "version.js", "version.mjs"]) {
    const file = join(dir, "node_modules", "openai", name);
    await writeFile(file, (await readFile(file, "utf8")).replaceAll(known.version, version));
  }
  return { ...known, version, dir };
}

/** The newest Node of this range, from npm where it has a build for this machine; resolves with its binary's path. */
export async function installNode(root: string, range: string): Promise<string | undefined> {
  const name = `node-${process.platform}-${process.arch}`;
  const dir = await emptyProject(root, `node-${range}`);
  try {
    await npmInstall(dir, [`${name}@${range}`]);
  } catch {
    return undefined;
  }
  return join(dir, "node_modules", name, "bin", "node");
}

async function emptyProject(root: string, name: string): Promise<string> {
  const dir = join(root, name);
  await mkdir(dir);
  await writeFile(join(dir, "package.json"), JSON.stringify({ private: true }));
  return dir;
}

async function copyApps(dir: string): Promise<void> {
  for (const name of ["calls-app.mjs", "calls-app.cjs", "calls.cjs"]) {
    await cp(join(apps, name), join(dir, name));
  }
}
