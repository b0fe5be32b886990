import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { floorOf, folderOf } from "./architecture/floors.ts";
import {
  importsOf,
  type Manifest,
  ROOT,
  readManifests,
  readSourceFiles,
  withoutComments,
} from "./architecture/packages.ts";
import { RULES } from "./architecture/rules.ts";

const manifests = await readManifests();
const files = await readSourceFiles();
const fileAt = new Map(files.map((file) => [file.path, file]));

function ownDependencies({ dependencies, peerDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...peerDependencies }).flatMap(
    (name) => folderOf(name) ?? [],
  );
}

describe("floors", () => {
  test.each([...manifests])("%s stands above everything it uses", (folder, manifest) => {
    expect(floorOf(folder), "it has a floor").not.toBe(-1);
    expect(ownDependencies(manifest).filter((used) => floorOf(used) >= floorOf(folder))).toEqual(
      [],
    );
  });

  test.each([...manifests])("%s declares what it loads", (folder, manifest) => {
    const declared = new Set(
      Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    );
    const undeclared = files
      .filter((file) => file.package === folder)
      .flatMap((file) => importsOf(file.code))
      .filter(({ atRunTime, from }) => atRunTime && !/^(\.|#|node:)/.test(from))
      .map(({ from }) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from)
      .filter((name) => name !== manifest.name && !declared.has(name));
    expect(undeclared).toEqual([]);
  });
});

describe("sources", () => {
  test.each(RULES)("$title", ({ appliesTo, find }) => {
    const broken = files
      .filter(appliesTo)
      .flatMap(({ path, code }) => find(code).map((found) => `${path}: ${found}`));
    expect(broken).toEqual([]);
  });

  test.each(RULES)("a break of this is seen: $title", ({ find, broken }) => {
    expect(find(broken)).not.toEqual([]);
  });

  test("imports are told apart by when they load", () => {
    const code = `import type { A } from "a";
import { B, type C } from "b";
import "c";
export type { D } from "d";
export { E } from "e";
export const F = "f";
const g = await import("g");`;
    const read = importsOf(code).map(({ from, atRunTime, isLazy }) => [from, atRunTime, isLazy]);
    expect(read).toEqual([
      ["a", false, false],
      ["b", true, false],
      ["c", true, false],
      ["d", false, false],
      ["e", true, false],
      ["g", true, true],
    ]);
  });

  test("a comment breaks no rule, and a string that looks like one is no comment", () => {
    const code = withoutComments(`// process.env\nconst url = "https://x"; /* Date.now() */`);
    expect(code).toBe(`\nconst url = "https://x"; `);
  });
});

/** The files that loading `path` loads, and the foreign packages, by their names. */
function loadedBy(path: string, seen = new Set<string>()): ReadonlySet<string> {
  const file = fileAt.get(path);
  if (file === undefined || seen.has(path)) return seen;
  seen.add(path);
  for (const { from, atRunTime, isLazy } of importsOf(file.code)) {
    if (!atRunTime || isLazy) continue;
    const own = folderOf(from);
    if (from.startsWith(".")) loadedBy(join(dirname(path), from), seen);
    else if (own === undefined) seen.add(from);
    else {
      const entry = from.split("/")[2] ?? "index";
      loadedBy(`packages/${own}/src/${entry}.ts`, seen);
    }
  }
  return seen;
}

/** The files that a file names in its imports, for their types too. */
function importedBy(path: string): readonly string[] {
  return importsOf(fileAt.get(path)?.code ?? "")
    .filter(({ from, isLazy }) => from.startsWith(".") && !isLazy)
    .map(({ from }) => join(dirname(path), from))
    .filter((one) => fileAt.has(one));
}

test("no file leads back to itself by its imports, not even by types", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function walk(path: string, above: readonly string[]): void {
    const at = above.indexOf(path);
    if (at >= 0) circles.push([...above.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const next of importedBy(path)) walk(next, [...above, path]);
    done.add(path);
  }
  for (const { path } of files) walk(path, []);
  expect(circles).toEqual([]);
  expect(importedBy("packages/tracing/src/thought.ts")).toContain(
    "packages/tracing/src/thought-options.ts",
  );
});

describe("what an app loads", () => {
  test.each([
    "packages/node/src/register.ts",
    "packages/node/src/index.ts",
    "packages/node/src/start-thoughtflow.ts",
    "packages/processor/src/index.ts",
  ])("%s loads neither zod nor an exporter nor prices", (entry) => {
    expect(fileAt.has(entry), `${entry} exists`).toBe(true);
    const foreign = [...loadedBy(entry)].filter((loaded) => !loaded.startsWith("packages/"));
    expect(foreign.filter((name) => /^zod|exporter-|genai-prices/.test(name))).toEqual([]);
  });

  test("what imports a transcript loads no zod: that takes longer than a short import does", () => {
    const loaded = loadedBy("packages/cli/src/commands/import.ts");
    expect(loaded).toContain("packages/cli/src/imports/atif/atif.ts");
    expect(loaded).not.toContain("zod");
  });

  test("the walk through the imports finds zod where it is loaded", () => {
    expect(loadedBy("packages/schema/src/index.ts")).toContain("zod");
    expect(loadedBy("packages/assemble/src/index.ts")).toContain("@pydantic/genai-prices");
  });
});

describe("manifests", () => {
  test.each([...manifests])("%s is packed as its neighbours are", (_folder, manifest) => {
    expect(manifest).toMatchObject({ license: "Apache-2.0", engines: { node: ">=20.19" } });
  });

  test("every package is built", async () => {
    const { references } = JSON.parse(await readFile(join(ROOT, "tsconfig.build.json"), "utf8"));
    const built = references.map(({ path }: { path: string }) => path).sort();
    expect(built).toEqual([...manifests.keys()].map((folder) => `packages/${folder}`).sort());
  });
});
