import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** An installed package. */
export interface InstalledPackage {
  readonly directory: string;
  readonly version: string;
  /** The oldest Node major that it says it needs. */
  readonly nodeMajor?: number;
}

/** The package that code in a directory gets for a bare import: the nearest `node_modules` upwards that has it. */
export function findPackage(name: string, from: string): InstalledPackage | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, "node_modules", name);
    const manifest = join(candidate, "package.json");
    if (existsSync(manifest)) return describe(candidate, manifest);
    if (directory === dirname(directory)) return undefined;
  }
}

function describe(directory: string, manifest: string): InstalledPackage {
  const { version, engines } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly version?: string;
    readonly engines?: { readonly node?: string };
  };
  const nodeMajor = /(\d+)/.exec(engines?.node ?? "")?.[1];
  return {
    directory,
    version: version ?? "unknown",
    ...(nodeMajor === undefined ? {} : { nodeMajor: Number(nodeMajor) }),
  };
}

/**
 * Every copy of a package that code in a directory, or a package installed there, may load: the one found first
 * from the directory itself, then those that lie beside or inside its packages.
 */
export function installedCopies(name: string, from: string): readonly InstalledPackage[] {
  const starts = [from, ...installedPackages(from)];
  const found = new Map<string, InstalledPackage>();
  for (const start of starts) {
    const copy = findPackage(name, start);
    if (copy !== undefined) found.set(realpathSync(copy.directory), copy);
  }
  return [...found].map(([directory, copy]) => ({ ...copy, directory }));
}

/** The real directories of the packages in the nearest `node_modules`. */
function installedPackages(from: string): readonly string[] {
  const modules = nearestModules(from);
  if (modules === undefined) return [];
  const namesIn = (directory: string) =>
    readdirSync(directory).filter((entry) => !entry.startsWith("."));
  return namesIn(modules)
    .flatMap((entry) =>
      entry.startsWith("@")
        ? namesIn(join(modules, entry)).map((name) => join(entry, name))
        : [entry],
    )
    .map((name) => realpathSync(join(modules, name)));
}

function nearestModules(from: string): string | undefined {
  const candidate = join(from, "node_modules");
  if (existsSync(candidate)) return candidate;
  return from === dirname(from) ? undefined : nearestModules(dirname(from));
}
