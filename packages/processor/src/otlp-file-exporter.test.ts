import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { decodeJsonRequest } from "@thoughtflow/otlp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OtlpFileExporter, type OtlpFileExporterOptions } from "./otlp-file-exporter.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-otlp-file-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function tracing(options: Omit<OtlpFileExporterOptions, "path"> = {}) {
  const path = join(dir, "spans.jsonl");
  const exporter = new OtlpFileExporter({ path, ...options });
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { path, exporter, provider, tracer: provider.getTracer("app", "1") };
}

/** The names of the spans of a file, line by line. */
function namesIn(path: string): readonly (readonly string[])[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => decodeJsonRequest(line).records.map(({ name }) => name));
}

function resultOf(exporter: OtlpFileExporter, spans: ReadableSpan[]) {
  let given: unknown;
  exporter.export(spans, (result) => {
    given = result;
  });
  return given;
}

test("every span is a line of OTLP in a file of the user's own, as soon as it has ended", () => {
  const { path, tracer } = tracing();
  tracer.startSpan("one", { attributes: { "gen_ai.operation.name": "chat", n: 3 } }).end();
  tracer.startSpan("two").end();
  expect(namesIn(path)).toEqual([["one"], ["two"]]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [first = ""] = readFileSync(path, "utf8").split("\n");
  expect(decodeJsonRequest(first).records[0]).toMatchObject({
    name: "one",
    attributes: { "gen_ai.operation.name": "chat", n: 3 },
    scope: { name: "app", version: "1" },
  });
});

test("a batch is one line", async () => {
  const path = join(dir, "spans.jsonl");
  const batches = new BatchSpanProcessor(new OtlpFileExporter({ path }));
  const provider = new NodeTracerProvider({ spanProcessors: [batches] });
  for (const name of ["a", "b", "c"]) provider.getTracer("app").startSpan(name).end();
  await provider.shutdown();
  expect(namesIn(path)).toEqual([["a", "b", "c"]]);
});

test("a process that ends at once leaves all of its spans", () => {
  const app = join(dir, "app.mjs");
  const path = join(dir, "spans.jsonl");
  const from = (name: string) => JSON.stringify(import.meta.resolve(name));
  writeFileSync(
    app,
    `import { NodeTracerProvider, SimpleSpanProcessor } from ${from("@opentelemetry/sdk-trace-node")};
     import { OtlpFileExporter } from ${JSON.stringify(new URL("../dist/otlp-file-exporter.js", import.meta.url).href)};
     const exporter = new OtlpFileExporter({ path: ${JSON.stringify(path)} });
     const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
     for (let i = 0; i < 50; i++) provider.getTracer("app").startSpan("span " + i).end();
     process.kill(process.pid, "SIGKILL");`,
  );
  expect(() => execFileSync(process.execPath, [app], { stdio: "pipe" })).toThrow();
  expect(namesIn(path)).toEqual(Array.from({ length: 50 }, (_, i) => [`span ${i}`]));
});

test("files are bounded in length and number, the newest are kept", () => {
  const { path, tracer } = tracing({ maxFileBytes: 2_000, maxFiles: 3 });
  for (let i = 0; i < 30; i++) tracer.startSpan(`span ${i}`).end();
  expect(readdirSync(dir).toSorted()).toEqual(["spans.jsonl", "spans.jsonl.1", "spans.jsonl.2"]);
  const files = [`${path}.2`, `${path}.1`, path];
  for (const file of files) expect(statSync(file).size).toBeLessThanOrEqual(2_000);
  const names = files.flatMap(namesIn).flat();
  expect(names).toEqual(
    Array.from({ length: names.length }, (_, i) => `span ${30 - names.length + i}`),
  );
  expect(names.length).toBeGreaterThan(3);
});

test("with one file allowed it begins anew; without a bound it grows", () => {
  const one = tracing({ maxFileBytes: 1, maxFiles: 1 });
  for (const name of ["a", "b"]) one.tracer.startSpan(name).end();
  expect(readdirSync(dir)).toEqual(["spans.jsonl"]);
  expect(namesIn(one.path)).toEqual([["b"]]);
  const unbounded = tracing({ maxFileBytes: Number.POSITIVE_INFINITY });
  for (const name of ["c", "d"]) unbounded.tracer.startSpan(name).end();
  expect(namesIn(one.path)).toEqual([["b"], ["c"], ["d"]]);
});

test("a file that was deleted begins anew", () => {
  const { path, tracer } = tracing();
  tracer.startSpan("before").end();
  rmSync(path);
  tracer.startSpan("after").end();
  expect(namesIn(path)).toEqual([["after"]]);
});

test("what closes its descriptor and gets the number for a file of its own finds nothing in that", () => {
  const { path, tracer } = tracing();
  const probe = openSync("/dev/null", "r");
  closeSync(probe);
  // The lowest free number is the exporter's next.
  tracer.startSpan("before").end();
  closeSync(probe);
  const own = join(dir, "of-the-app");
  expect(openSync(own, "w")).toBe(probe);
  tracer.startSpan("after").end();
  closeSync(probe);
  expect([namesIn(path), readFileSync(own, "utf8")]).toEqual([[["before"], ["after"]], ""]);
});

test("nor is that closed with the exporter", async () => {
  const { exporter, tracer } = tracing();
  const probe = openSync("/dev/null", "r");
  closeSync(probe);
  tracer.startSpan("before").end();
  closeSync(probe);
  expect(openSync("/dev/null", "r")).toBe(probe);
  await exporter.shutdown();
  expect(() => closeSync(probe)).not.toThrow();
});

test("a line that was cut off costs no other", () => {
  const before = tracing();
  before.tracer.startSpan("whole").end();
  appendFileSync(before.path, '{"resourceSpans":[{"sco');
  tracing().tracer.startSpan("next").end();
  const lines = readFileSync(before.path, "utf8").split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[1]).toBe('{"resourceSpans":[{"sco');
  expect(decodeJsonRequest(lines[2] ?? "").records.map(({ name }) => name)).toEqual(["next"]);
});

test("what can't be written or read is told, never thrown, and a span that can't be read costs no other", async () => {
  const { exporter, tracer, path } = tracing();
  const readable = tracer.startSpan("readable") as unknown as ReadableSpan;
  const broken = Object.create(readable, {
    attributes: {
      get() {
        throw new Error("not this one");
      },
    },
  });
  expect(resultOf(exporter, [broken, readable])).toEqual({
    code: 1,
    error: new Error("not this one"),
  });
  expect(namesIn(path)).toEqual([["readable"]]);
  const nowhere = new OtlpFileExporter({ path: join(dir, "none", "spans.jsonl") });
  expect(resultOf(nowhere, [readable])).toMatchObject({ code: 1, error: { code: "ENOENT" } });
  await exporter.forceFlush();
  await exporter.shutdown();
  expect(resultOf(exporter, [readable])).toEqual({
    code: 1,
    error: new Error("the exporter was shut down"),
  });
});

test.each([undefined, "", 5])("%j is no path", (path) => {
  const options = { path } as unknown as ConstructorParameters<typeof OtlpFileExporter>[0];
  expect(() => new OtlpFileExporter(options)).toThrow(TypeError);
  expect(() => new OtlpFileExporter(options)).toThrow(
    /^path is (undefined|''|5), expected that of a file$/,
  );
});

test.each([{ maxFiles: 0 }, { maxFileBytes: Number.NaN }])("%j is no bound", (options) => {
  expect(() => new OtlpFileExporter({ path: "a", ...options })).toThrow(RangeError);
});
