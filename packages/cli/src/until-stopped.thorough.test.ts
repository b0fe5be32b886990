import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "until-stopped-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** A receiver with a shell around it, as npm starts one, and that shell killed; `lines` are what they say. */
async function withShellKilled(npm: Readonly<Record<string, string>>) {
  const shell = spawn(
    "sh",
    ["-c", '"$0" "$1" serve --port 0 --dir flows 2>&1; :', process.execPath, MAIN],
    {
      cwd,
      env: { PATH: process.env["PATH"], ...npm },
      stdio: ["ignore", "pipe", "inherit"],
      // A group of its own: what is left of it can be ended.
      detached: true,
    },
  );
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  await lines.next();
  shell.kill("SIGTERM");
  await once(shell, "exit");
  return { shell, lines, url: /http:\S+(?=\/v1)/.exec(first.value ?? "")?.[0] ?? "" };
}

test("npx ends, and what it started", async () => {
  const { lines } = await withShellKilled({
    npm_lifecycle_event: "npx",
    npm_lifecycle_script: "'thoughtflow'",
  });
  expect((await lines.next()).value).toBe("0 spans taken, 0 documents written.");
  expect((await lines.next()).done).toBe(true);
});

test.each([
  {},
  { npm_lifecycle_event: "npx", npm_lifecycle_script: "thoughtflow serve &" },
  { npm_lifecycle_event: "npx", npm_lifecycle_script: "other-tool" },
  { npm_lifecycle_event: "start", npm_lifecycle_script: "thoughtflow" },
])("it outlives a shell that is not its own: %o", async (npm) => {
  const { shell, lines, url } = await withShellKilled(npm);
  // Longer than it takes to see that npx is gone.
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  process.kill(-Number(shell.pid), "SIGTERM");
  expect((await lines.next()).value).toBe("0 spans taken, 0 documents written.");
});
