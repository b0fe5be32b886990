import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../scripts/find-conflict-markers.mjs", import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "conflicts-"));
  execFileSync("git", ["init", "--quiet"], { cwd });
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** What the script says of a repository in which this file is tracked. */
function foundIn(name: string, text: string) {
  writeFileSync(join(cwd, name), text);
  execFileSync("git", ["add", name], { cwd });
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd, encoding: "utf8" });
  return { status, stderr };
}

test.each(["<", "|", ">"])(
  "a marker of %s in a tracked file is told with its place",
  (character) => {
    const marker = `${character.repeat(7)} main`;
    expect(foundIn("pnpm-lock.yaml", `a: 1\n${marker}\n`)).toEqual({
      status: 1,
      stderr: `conflict markers in:\npnpm-lock.yaml:2:${marker}\n\n`,
    });
  },
);

test("a heading that is underlined, and arrows in a text, are none", () => {
  const text = `Title\n=======\n\n  ${"<".repeat(7)} main\n${">".repeat(8)}\n`;
  expect(foundIn("page.md", text)).toEqual({ status: 0, stderr: "" });
});

test("outside of a repository it fails, and not silently", () => {
  rmSync(join(cwd, ".git"), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd, encoding: "utf8" });
  expect({ status, said: stderr.startsWith("git grep failed: ") }).toEqual({
    status: 1,
    said: true,
  });
});
