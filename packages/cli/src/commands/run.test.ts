import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const node = process.execPath;

test("the program's own exit code is passed on, and its arguments are left alone", async () => {
  const io = capturedIo(directoryWith(), { env: process.env });
  const script = "process.exit(process.argv[1] === '--dir' ? 7 : 1)";
  expect(await thoughtflow(["run", "--", node, "-e", script, "--", "--dir"], io)).toBe(7);
  expect(io.stderr()).toBe("");
});

test("a signal that ended the program ends this too", async () => {
  const io = capturedIo(directoryWith(), { env: process.env });
  await thoughtflow(["run", node, "-e", "process.kill(process.pid, 'SIGKILL')"], io);
  expect(io.signals).toEqual(["SIGKILL"]);
});

test("a program that ends well without a model call is exit code 6, with one line", async () => {
  const io = capturedIo(directoryWith(), { env: process.env });
  const script = "process.exitCode = process.env.NODE_OPTIONS.includes('register') ? 0 : 1";
  expect(await thoughtflow(["run", "--", node, "-e", script], io)).toBe(6);
  expect(io.stderr()).toBe(
    "The program ended well, but ThoughtFlow saw no model call. See: thoughtflow doctor\n",
  );
});

test("a program that isn't there is told", async () => {
  const io = capturedIo(directoryWith(), { env: process.env });
  expect(await thoughtflow(["run", "--", "no-such-program"], io)).toBe(1);
  expect(io.stderr()).toBe("no-such-program can't be started: it is not found.\n");
});

test("without a program there is nothing to run", async () => {
  const io = capturedIo(directoryWith());
  expect(await thoughtflow(["run", "--dir", "x", "--"], io)).toBe(3);
  expect(io.stderr()).toContain("run needs -- <program> [arguments].");
});
