import { glob, readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the workspace. */
export const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The parts of a package.json that the house has rules about. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A source file that is published: no test. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  /** Folder name under `packages/`. */
  readonly package: string;
  /** The text without its comments. */
  readonly code: string;
}

/** One `import` or `export … from`. */
export interface Import {
  readonly from: string;
  /** False for `import type`, which is gone at run time. */
  readonly atRunTime: boolean;
  /** True for `import(…)`: loaded when called, not when the file is. */
  readonly isLazy: boolean;
}

const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** The text with its comments blanked; what looks like a comment inside a string stays. */
export function withoutComments(text: string): string {
  return text.replace(COMMENT_OR_STRING, (found) => (found.startsWith("/") ? "" : found));
}

const STATIC_IMPORT =
  /^\s*(?:import(\s+type)?\s*(?:[\w*{][^;"']*?\bfrom\s*)?|export(\s+type)?\s*(?:\{[^}]*\}|\*[^;"']*?)\s*from\s*)["']([^"']+)["']/gm;
const LAZY_IMPORT = /\b(?:import|require)\(\s*["']([^"']+)["']/g;

/** What a file without comments imports, in its order, lazy imports last. */
export function importsOf(code: string): readonly Import[] {
  const statics = [...code.matchAll(STATIC_IMPORT)].map(
    ([, importType, exportType, from = ""]) => ({
      from,
      atRunTime: (importType ?? exportType) === undefined,
      isLazy: false,
    }),
  );
  const lazy = [...code.matchAll(LAZY_IMPORT)].map(([, from = ""]) => ({
    from,
    atRunTime: true,
    isLazy: true,
  }));
  return [...statics, ...lazy];
}

/** The manifest of every folder under `packages/`, by folder name. */
export async function readManifests(): Promise<ReadonlyMap<string, Manifest>> {
  const manifests = new Map<string, Manifest>();
  for await (const path of glob("packages/*/package.json", { cwd: ROOT })) {
    const folder = path.split(sep)[1] ?? "";
    manifests.set(folder, JSON.parse(await readFile(join(ROOT, path), "utf8")));
  }
  return manifests;
}

/** Every published source file of every package, sorted by path. */
export async function readSourceFiles(): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const found of glob("packages/*/src/**/*.ts", { cwd: ROOT })) {
    const path = found.split(sep).join("/");
    if (path.endsWith(".test.ts") || path.includes("/fixtures/")) continue;
    const code = withoutComments(await readFile(join(ROOT, path), "utf8"));
    files.push({ path, package: path.split("/")[1] ?? "", code });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
