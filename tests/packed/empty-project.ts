import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../architecture/packages.ts";

const run = promisify(execFile);
const folder = join(ROOT, "dist", "packages");

/** A project outside the workspace, made by nothing but `npm init` and one `npm install`. */
export interface EmptyProject {
  readonly dir: string;
  /** The names of our packages in it, sorted. */
  readonly packages: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The paths of the tarballs in `dist/packages/`.
 *
 * @throws when there is none
 */
export async function packedTarballs(): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) throw new Error("dist/packages/ is empty: `npm run pack` fills it");
  return names.map((name) => join(folder, name));
}

/**
 * Installs every tarball of `dist/packages/`, openai and the types of Node into an empty project, in one `npm install`.
 *
 * @throws when there is no tarball, or npm fails, with what npm said.
 */
export async function createEmptyProject(type: "module" | "commonjs"): Promise<EmptyProject> {
  const tarballs = await packedTarballs();
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-packed-"));
  await writeFile(join(dir, "package.json"), JSON.stringify({ name: "app", private: true, type }));
  await npmInstall(dir, ["openai@7.55.0", "@types/node@24", ...tarballs]);
  await cp(join(import.meta.dirname, "apps"), dir, { recursive: true });

  const { dependencies } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  return {
    dir,
    packages: Object.keys(dependencies)
      .filter((name) => !["openai", "@types/node"].includes(name))
      .sort(),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

/** The oldest Node that the packages promise to run on, from npm; resolves with the path of its binary. */
export async function installOldestNode(dir: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  await writeFile(join(dir, "package.json"), JSON.stringify({ private: true }));
  await npmInstall(dir, [`${name}@20.19.0`]);
  return join(dir, "node_modules", name, "bin", "node");
}

/** `npm install` of these specs into a folder; throws with what npm said. */
export async function npmInstall(dir: string, specs: readonly string[]): Promise<void> {
  // npm hands its own settings down as variables; this one must not take them for its project's.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|config_local)/.test(name),
    ),
  );
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...specs], {
    cwd: dir,
    env,
  });
}
