import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { capturedIo } from "../testing/captured-io.ts";
import { directoryWith, seedText } from "../testing/flow-directory.ts";
import { thoughtflow } from "./thoughtflow.ts";

async function ran(cwd: string, ...argv: readonly string[]) {
  const io = capturedIo(cwd);
  const code = await thoughtflow(argv, io);
  return { code, stdout: withoutTime(io.stdout()), stderr: io.stderr() };
}

/** A workflow says when it was made. */
function withoutTime(text: string): string {
  return text.replace(/"extraction_timestamp": "[^"]+"/, "");
}

test.each([
  ["convert", "seed.json", "--to", "svg"],
  ["convert", "agents.json", "--to", "gantt"],
  ["workflow", "seed.json"],
])("-o - writes to stdout what %s writes there without it", async (...argv) => {
  const cwd = directoryWith({ "seed.json": seedText });
  expect((await ran(cwd, "workflow", "seed.json", "-o", "agents.json")).code).toBe(0);
  const plain = await ran(cwd, ...argv);
  expect(plain.code).toBe(0);
  expect(await ran(cwd, ...argv, "-o", "-")).toEqual(plain);
  expect(await ran(cwd, ...argv, "--output=-")).toEqual(plain);
  expect(readdirSync(cwd).sort()).toEqual(["agents.json", "seed.json"]);
});

test.each([
  ["convert", "seed.json", "--to", "d2"],
  ["import", "otlp", "seed.json"],
])("%s --out - is told that several files don't go to stdout", async (command, ...rest) => {
  const cwd = directoryWith({ "seed.json": seedText });
  expect(await ran(cwd, command ?? "", ...rest, "--out", "-")).toEqual({
    code: 3,
    stdout: "",
    stderr: `${command} --out is "-", which means stdout, but what it writes are several files: name a directory ("./-" for one of that name).\n`,
  });
  expect(readdirSync(cwd)).toEqual(["seed.json"]);
});
