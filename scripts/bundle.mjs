// Bundles the sources of every package into dist/, one file an entry: what the manifest names as ./dist/x.js is
// made of src/x.ts and the modules behind it, and modules that two entries share become a file of their own.
// Every other package stays an import, so that an app has one copy of each. Types are tsc's.
// The register hook, which every start of an app pays for, is one file with all that it needs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages");

const IN_ONE_FILE = "register";

function entriesOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = JSON.stringify([manifest.exports, manifest.imports, manifest.bin]);
  return Array.from(named.matchAll(/"\.\/dist\/([\w-]+)\.js"/g), ([, name]) => name);
}

/** Helpers for syntax that the oldest Node doesn't have are no package of the app's: they become part of the file. */
function isOtherPackage(id) {
  return !/^[./]/.test(id) && !isAbsolute(id) && !id.startsWith("@oxc-project/runtime/");
}

async function bundle(folder, entries, external) {
  const build = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((name) => [name, `./src/${name}.ts`])),
    external,
    platform: "node",
    resolve: { conditionNames: ["@thoughtflow/source", "node", "import"] },
    transform: { target: "node20.19" },
    onLog: (_level, log) => {
      throw new Error(`${folder}: ${log.message}`);
    },
  });
  const { output } = await build.generate({
    chunkFileNames: "[name].js",
    sourcemap: true,
    // The sources are in the package.
    sourcemapExcludeSources: true,
  });
  await build.close();
  return output.map((file) => [file.fileName, file.code ?? file.source]);
}

/** The files of a package, by name. */
async function filesOf(folder) {
  const entries = entriesOf(folder);
  const alone = entries.filter((name) => name === IN_ONE_FILE);
  const others = entries.filter((name) => name !== IN_ONE_FILE);
  return new Map([
    ...(await bundle(folder, others, isOtherPackage)),
    ...(alone.length === 0 ? [] : await bundle(folder, alone, /^node:/)),
  ]);
}

/** Leaves files alone that are right already: a program that runs them is not disturbed. */
function writeInto(dist, files) {
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (/\.js(\.map)?$/.test(name) && !files.has(name)) rmSync(join(dist, name));
  }
  for (const [name, text] of files) {
    const path = join(dist, name);
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
}

const folders = readdirSync(packages).map((name) => join(packages, name));
await Promise.all(
  folders.map(async (folder) => writeInto(join(folder, "dist"), await filesOf(folder))),
);
