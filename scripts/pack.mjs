// Writes a tarball of every package that is published to dist/packages/, from what is built.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);
const destination = join(root, "dist", "packages");

const published = readdirSync(join(root, "packages"))
  .map((folder) => JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")))
  .filter((manifest) => !manifest.private)
  .map((manifest) => manifest.name);

rmSync(destination, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(scripts, "with-workspace.mjs"),
    ...["pnpm", "--silent", "--recursive"],
    ...published.flatMap((name) => ["--filter", name]),
    ...["pack", "--pack-destination", destination],
  ],
  { cwd: root, stdio: ["ignore", "ignore", "inherit"] },
);
if (status !== 0) process.exit(status ?? 1);

const tarballs = readdirSync(destination);
for (const tarball of tarballs) {
  console.log(`dist/packages/${tarball}  ${statSync(join(destination, tarball)).size} bytes`);
}
if (tarballs.length !== published.length) {
  console.error(`${published.length} packages are published, but ${tarballs.length} were packed.`);
  process.exit(1);
}
