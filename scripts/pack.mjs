// Builds every package anew, so that nothing is packed whose source is gone, and writes a tarball of
// each that is published to dist/packages/.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);
const destination = join(root, "dist", "packages");

function run(...command) {
  const { status } = spawnSync(
    process.execPath,
    [join(scripts, "with-workspace.mjs"), ...command],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

const folders = readdirSync(join(root, "packages")).map((folder) => join(root, "packages", folder));
for (const folder of folders) rmSync(join(folder, "dist"), { recursive: true, force: true });
run("tsc", "-b", "tsconfig.build.json");
run("node", "scripts/bundle.mjs");

const published = folders
  .map((folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")))
  .filter((manifest) => !manifest.private)
  .map((manifest) => manifest.name);
rmSync(destination, { recursive: true, force: true });
const chosen = published.flatMap((name) => ["--filter", name]);
run("pnpm", "--silent", "--recursive", ...chosen, "pack", "--pack-destination", destination);

const tarballs = readdirSync(destination);
for (const tarball of tarballs) {
  console.log(`dist/packages/${tarball}  ${statSync(join(destination, tarball)).size} bytes`);
}
if (tarballs.length !== published.length) {
  console.error(`${published.length} packages are published, but ${tarballs.length} were packed.`);
  process.exit(1);
}
