import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { startJaeger } from "./jaeger.ts";
import { startTempo } from "./tempo.ts";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

function vulture(...argv: readonly string[]): Promise<Ended> {
  return command(["vulture", ...argv]);
}

function command(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const main = join(ROOT, "packages/cli/dist/main.js");
  return new Promise<Ended>((resolve) => {
    const options = { env: { ...process.env, ...env } };
    const child = execFile(process.execPath, [main, ...argv], options, (_error, stdout) => {
      resolve({ code: child.exitCode, stdout });
    });
  });
}

test("Jaeger gives back what it was given, long texts too", async () => {
  await using jaeger = await startJaeger();
  const where = ["--endpoint", jaeger.otlpEndpoint, "--query", jaeger.queryEndpoint];
  const found = await vulture("--backend", "jaeger", ...where, "--text-bytes", "100000");
  expect(found).toEqual({ code: 0, stdout: expect.stringMatching(/^ok: jaeger, trace /) });
  const elsewhere = ["--endpoint", jaeger.otlpEndpoint, "--query", jaeger.otlpEndpoint];
  const missed = await vulture("--backend", "jaeger", ...elsewhere, "--wait", "0");
  expect(missed).toEqual({ code: 6, stdout: expect.stringMatching(/^notfound_byid: /) });
});

test("the doctor says of Jaeger that it keeps links", async () => {
  await using jaeger = await startJaeger();
  const asked = ["doctor", "--backend", "jaeger", "--query", jaeger.queryEndpoint];
  const { stdout } = await command(asked, { OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.otlpEndpoint });
  expect(stdout).toMatch(
    /^ok +backend: jaeger gives a trace back as it was written, with its links$/m,
  );
});

test("Tempo gives back what it was given, long texts too with the setting of deploy/tempo", async () => {
  await using tempo = await startTempo();
  const where = ["--endpoint", tempo.otlpEndpoint, "--query", tempo.queryEndpoint];
  const found = await vulture("--backend", "tempo", ...where, "--text-bytes", "100000");
  expect(found).toEqual({ code: 0, stdout: expect.stringMatching(/^ok: tempo, trace /) });
}, 180_000);

test("Tempo as it comes cuts longer texts, which is found out", async () => {
  await using tempo = await startTempo({ TEMPO_MAX_ATTRIBUTE_BYTES: "2048" });
  const where = ["--endpoint", tempo.otlpEndpoint, "--query", tempo.queryEndpoint];
  const cut = await vulture("--backend", "tempo", ...where, "--text-bytes", "5000", "--wait", "2");
  expect(cut).toEqual({
    code: 6,
    stdout: expect.stringMatching(/^incorrectresult: gen_ai.output.messages of chat vulture-1 is /),
  });
}, 180_000);
