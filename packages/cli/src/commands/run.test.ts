import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { runCli, startCli } from "../../testing/spawned-cli.ts";
import { replayRecordings } from "../replay-recordings.ts";
import { thoughtflow } from "../thoughtflow.ts";

const APP = fileURLToPath(new URL("../../demo/app.mjs", import.meta.url));

test("the program's own exit code is passed on, and its words are left alone", async () => {
  const script = "console.log(process.argv.slice(1)); process.exit(7)";
  const argv = ["run", "--", "node", "-e", script, "--", "--dir", "--help"];
  expect(await runCli(argv, directoryWith())).toEqual({
    exitCode: 7,
    signal: null,
    stdout: "[ '--dir', '--help' ]\n",
    stderr: "",
  });
});

test("a signal that ended the program ends this too, and one sent to this reaches the program", async () => {
  const cwd = directoryWith();
  const killed = ["run", "node", "-e", "process.kill(process.pid, 'SIGKILL')"];
  expect(await runCli(killed, cwd)).toMatchObject({ exitCode: null, signal: "SIGKILL" });

  const waiting = startCli(
    [
      "run",
      "node",
      "-e",
      "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log('up')",
    ],
    cwd,
  );
  if (waiting.stdout === null) throw new Error("stdout is a pipe");
  await once(waiting.stdout, "data");
  waiting.kill("SIGTERM");
  expect(await once(waiting, "exit")).toEqual([9, null]);
});

test("a program that calls a model keeps its exit code, and its files are named", async () => {
  const server = await replayRecordings();
  const cwd = directoryWith();
  const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "none" };
  const { exitCode, stderr } = await runCli(["run", "--dir", "flows", "node", APP], cwd, env);
  await server.close();
  expect(exitCode).toBe(0);
  const names = readdirSync(join(cwd, "flows")).filter((name) => name.endsWith(".json"));
  const [heading, ...files] = stderr.trim().split(/\s*\n\s*/);
  expect([heading, ...files.sort()]).toEqual([
    "ThoughtFlow wrote:",
    ...names.map((name) => `${join("flows", name)} .d2 .svg`).sort(),
  ]);
});

test("a program that ends well without a model call is exit code 6, with one line", async () => {
  expect(await runCli(["run", "--", "node", "-e", "0"], directoryWith())).toEqual({
    exitCode: 6,
    signal: null,
    stdout: "",
    stderr: "The program ended well, but ThoughtFlow saw no model call. See: thoughtflow doctor\n",
  });
});

test("the hook is found from a directory with a space, beside the user's own NODE_OPTIONS", async () => {
  const cwd = join(directoryWith(), "a b");
  mkdirSync(cwd);
  const script = "console.log(process.env.NODE_OPTIONS)";
  const { stdout } = await runCli(["run", "--", "node", "-e", script], cwd, {
    NODE_OPTIONS: "--no-deprecation",
  });
  expect(stdout).toMatch(/^--no-deprecation --import file:\S+\/register\.js\n$/);
});

test.each([
  [{ npm_lifecycle_event: "npx", npm_lifecycle_script: '"thoughtflow"' }, "undefined undefined"],
  [
    { npm_lifecycle_event: "start", npm_lifecycle_script: "thoughtflow run x" },
    "start thoughtflow run x",
  ],
])("what npm says of this command alone is not handed on: %o", async (npm, said) => {
  const script =
    "const { npm_lifecycle_event: a, npm_lifecycle_script: b } = process.env; console.log(a, b)";
  const { stdout } = await runCli(["run", "--", "node", "-e", script], directoryWith(), npm);
  expect(stdout).toBe(`${said}\n`);
});

test("a program that isn't there, or isn't named, is told", async () => {
  const io = capturedIo(directoryWith());
  expect(await thoughtflow(["run", "--", "no-such-program"], io)).toBe(1);
  expect(await thoughtflow(["run", "--dir", "x", "--"], io)).toBe(3);
  expect(io.stderr()).toBe(`no-such-program can't be started: it is not found.
run needs -- <program> [arguments]. See: thoughtflow run --help
`);
});
