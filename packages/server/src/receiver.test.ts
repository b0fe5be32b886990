import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assemble } from "@thoughtflow/assemble";
import { createJournalReader } from "@thoughtflow/journal";
import { encodeJsonRequest, REQUEST_FORMATS, spansOfRecords } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestOf, toolSpan } from "../testing/received-spans.ts";
import { type RunningServer, runningServer } from "../testing/running-server.ts";

let here: RunningServer;
beforeEach(async () => {
  here = await runningServer();
});
afterEach(() => here.remove());

const spans = [1, 2, 3, 4].map((n) => toolSpan(n));
const text = (...records: SpanRecord[]) =>
  Buffer.from(encodeJsonRequest(spansOfRecords(records))).toString();
const JSON_TYPE = { "Content-Type": "application/json" };

function document(name: string): string {
  return readFileSync(join(here.dir, `${name}.json`), "utf8");
}

function documents(): readonly string[] {
  return readdirSync(here.dir).filter((name) => name.endsWith(".json"));
}

const expected = (records: readonly SpanRecord[]): string =>
  assemble(records).map(canonicalJson).join("");

describe("what is acknowledged", () => {
  test("is in the journal by then, and in the session's file when the server ends", async () => {
    const answer = await here.post(requestOf(...spans));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/x-protobuf",
    ]);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
    const journal = createJournalReader(here.dir);
    journal.refreshSync();
    expect(journal.recordsOfSession("s")).toEqual(spans);
    await here.stop();
    expect(document("s")).toBe(expected(spans));
    expect(documents()).toEqual(["s.json"]);
    expect(here.failures).toEqual([]);
  });

  test("is the same in JSON, compressed, in pieces, in any order, and twice", async () => {
    const [a, b, c, d] = spans as [SpanRecord, SpanRecord, SpanRecord, SpanRecord];
    const gzip = { "Content-Encoding": "gzip" };
    const answers = [
      await here.post(text(d), JSON_TYPE),
      await here.post(gzipSync(requestOf(c, a)), gzip),
      await here.post(`${text(a)}\n${text(b)}`, JSON_TYPE),
      await here.post(requestOf(b)),
      await here.post(gzipSync(text(d)), { ...JSON_TYPE, ...gzip }),
      await here.post(gzipSync(requestOf(a)), { "Content-Encoding": "x-gzip" }),
      await here.post(requestOf(a), { "Content-Encoding": "" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await answers[0]?.text()).toBe("{}");
    await here.stop();
    expect(document("s")).toBe(expected(spans));
  });

  test("is the same from several replicas that send it at the same time, each in batches of its own", async () => {
    const replicas = [1, 2, 3, 4].map((size) =>
      Array.from({ length: Math.ceil(spans.length / size) }, (_, n) =>
        requestOf(...spans.slice(n * size, (n + 1) * size)),
      ),
    );
    const answers = await Promise.all(replicas.flat().map((request) => here.post(request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await here.stop();
    expect(document("s")).toBe(expected(spans));
  });

  test("of replicas that each add their own name is all there, and the same whoever comes first", async () => {
    const told = ["a", "b", "c"].map((pod) =>
      spans.map((span) => ({ ...span, resource: { ...span.resource, "k8s.pod.name": pod } })),
    );
    for (const some of told.toReversed()) await here.post(requestOf(...some));
    await here.stop();
    expect(document("s")).toBe(expected(told.flat()));
    const { conversations } = JSON.parse(document("s"));
    expect(conversations[0].steps).toHaveLength(
      JSON.parse(expected(spans)).conversations[0].steps.length,
    );
  });

  test("of a request with broken spans is the rest; the answer and the metrics say what is missing", async () => {
    const broken = toolSpan(9, { spanId: "0".repeat(16) });
    const answer = await here.post(requestOf(toolSpan(1), broken, toolSpan(2)));
    expect(answer.status).toBe(200);
    expect(
      REQUEST_FORMATS["http/protobuf"].partialSuccess(new Uint8Array(await answer.arrayBuffer())),
    ).toEqual({ rejectedSpans: 1, message: "span 1: span id is all zero" });
    const metrics = await (await here.get("/metrics")).text();
    expect(metrics).toContain('thoughtflow_receiver_rejected_spans_total{code="id"} 1\n');
    expect(metrics).toContain("thoughtflow_receiver_spans_total 2\n");
    await here.stop();
    expect(document("s")).toBe(expected([toolSpan(1), toolSpan(2)]));
  });
});

describe("where spans go that don't say it themselves", () => {
  const bare = (n: number, more: Partial<SpanRecord> = {}) =>
    toolSpan(n, { attributes: { "gen_ai.operation.name": "execute_tool" }, ...more });
  const nothing = (n: number) => toolSpan(n, { attributes: { "http.route": "/" }, content: {} });

  test("a trace that names no session is one; a trace that says nothing of an agent leaves no file, yet", async () => {
    expect((await here.post(requestOf(bare(1), bare(2)))).status).toBe(200);
    const web = "2".repeat(32);
    const request = { ...nothing(3), traceId: web };
    expect((await here.post(requestOf(request))).status).toBe(200);
    await here.stop();
    expect(documents()).toEqual([`s_${"1".repeat(32)}.json`]);
  });

  test("what came first of a trace that turns out to be of an agent is there too", async () => {
    await here.post(requestOf(nothing(1)));
    await here.post(requestOf(toolSpan(2)));
    await here.stop();
    expect(document("s")).toBe(expected([nothing(1), toolSpan(2)]));
  });

  test("a session that is named late takes what was in a file of its own", async () => {
    await here.post(requestOf(bare(1)));
    await here.server.flush();
    expect(documents()).toEqual([`s_${"1".repeat(32)}.json`]);
    await here.post(requestOf(toolSpan(2)));
    await here.stop();
    expect(documents()).toEqual(["s.json"]);
    expect(document("s")).toBe(expected([bare(1), toolSpan(2)]));
  });
});

test("spans that were refused are counted beside the journal, for doctor", async () => {
  const broken = toolSpan(2, { spanId: "0".repeat(16) });
  expect((await here.post(requestOf(toolSpan(1), broken, broken))).status).toBe(200);
  await here.stop();
  const journal = join(here.dir, ".journal");
  const [state = ""] = readdirSync(journal).filter((name) => name.endsWith(".state.json"));
  expect(JSON.parse(readFileSync(join(journal, state), "utf8"))).toMatchObject({
    rejected_spans: { id: 2 },
  });
});

test("a server that starts again goes on where another one was", async () => {
  await here.post(requestOf(toolSpan(1)));
  await here.stop();
  const bare = toolSpan(2, { attributes: { "gen_ai.operation.name": "execute_tool" } });
  const next = await runningServer({ dir: here.dir });
  try {
    await next.post(requestOf(bare));
  } finally {
    await next.stop();
  }
  expect(documents()).toEqual(["s.json"]);
  expect(document("s")).toBe(expected([toolSpan(1), bare]));
  await next.remove();
});
