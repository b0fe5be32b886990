// Runs a command once for every tarball in dist/packages/ (made by `npm run pack`), its path as the
// last argument; shows what it says, and fails, where it failed:
//
//   node scripts/each-tarball.mjs publint run --strict
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "dist", "packages");
const tarballs = existsSync(folder) ? readdirSync(folder) : [];
if (tarballs.length === 0) {
  console.error("There are no tarballs in dist/packages/: run `npm run pack` first.");
  process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
const failed = tarballs.filter((tarball) => {
  const { status, stdout, stderr, error } = spawnSync(command, [...args, join(folder, tarball)], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) console.error(`${tarball}:\n${error?.message ?? stdout + stderr}`);
  return status !== 0;
});
console.log(
  `${command}: ${tarballs.length - failed.length} of ${tarballs.length} packages are fine`,
);
if (failed.length > 0) {
  console.error(`Not fine: ${failed.join(", ")}`);
  process.exit(1);
}
