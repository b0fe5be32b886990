import { execFile } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { type Jaeger, startJaeger } from "./jaeger.ts";

let jaeger: Jaeger;

beforeAll(async () => {
  jaeger = await startJaeger();
  return () => jaeger[Symbol.asyncDispose]();
});

function vulture(...argv: readonly string[]): Promise<{ code: number | null; stdout: string }> {
  const command = [join(ROOT, "packages/cli/dist/main.js"), "vulture", ...argv];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, (_error, stdout) => {
      resolve({ code: child.exitCode, stdout });
    });
  });
}

test("a real Jaeger gives back what it was given, long texts too", async () => {
  const where = ["--endpoint", jaeger.otlpEndpoint, "--query", jaeger.queryEndpoint];
  const found = await vulture("--backend", "jaeger", ...where, "--text-bytes", "100000");
  expect(found).toEqual({ code: 0, stdout: expect.stringMatching(/^ok: jaeger, trace /) });
});

test("a Jaeger that is asked elsewhere than it was told is found out", async () => {
  const where = ["--endpoint", jaeger.otlpEndpoint, "--query", jaeger.otlpEndpoint];
  const found = await vulture("--backend", "jaeger", ...where, "--wait", "0");
  expect(found).toEqual({ code: 6, stdout: expect.stringMatching(/^notfound_byid: /) });
});
