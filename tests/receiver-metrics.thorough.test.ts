import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble, decimalSum } from "@thoughtflow/assemble";
import { decodeJsonRequest, encodeProtobufRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { Session, SpanRecord } from "@thoughtflow/schema";
import { createFlowServer, resolveServerOptions } from "@thoughtflow/server";
import { expect, test } from "vitest";
import { recordsOfExport } from "./dialects/langfuse-records.ts";

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "dialects", "fixtures", name), "utf8");
const exported = (name: string): readonly SpanRecord[] =>
  recordsOfExport(JSON.parse(fixture(`${name}.trace.json`)));

const EXPORTS: Readonly<Record<string, readonly SpanRecord[]>> = {
  Koog: exported("koog"),
  "agno by OpenInference and Langfuse": exported("agno"),
  "pydantic-ai": exported("pydantic-ai"),
  LangChain: decodeJsonRequest(fixture("langchain-rag.json")).records,
  ...Object.fromEntries(
    readdirSync(join(import.meta.dirname, "dialects", "fixtures", "emitters")).map((name) => [
      name.replace(".json", ""),
      decodeJsonRequest(fixture(`emitters/${name}`)).records,
    ]),
  ),
};

/** What a receiver counts of spans, and what the documents say that it writes of them. */
async function received(requests: readonly (readonly SpanRecord[])[]) {
  const dir = mkdtempSync(join(tmpdir(), "receiver-metrics-"));
  const server = createFlowServer(resolveServerOptions({ dir, port: 0 }));
  try {
    const { url } = await server.listen();
    for (const spans of requests) {
      const body = Buffer.from(encodeProtobufRequest(spansOfRecords(spans)));
      const headers = { "Content-Type": "application/x-protobuf" };
      const { status } = await fetch(`${url}/v1/traces`, { method: "POST", headers, body });
      expect(status).toBe(200);
    }
    const text = await (await fetch(`${url}/metrics`)).text();
    await server.close();
    const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
    const sessions = names.map(
      (name): Session => JSON.parse(readFileSync(join(dir, name), "utf8")),
    );
    return { text, sessions, totals: sessions.flatMap(({ totals }) => totals ?? []) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** As they ended, so that no request holds all of a trace. */
function oneByOne(spans: readonly SpanRecord[]): readonly (readonly SpanRecord[])[] {
  const ended = [...spans].sort((a, b) => Number(a.endTimeUnixNano) - Number(b.endTimeUnixNano));
  return ended.map((span) => [span]);
}

/** Each instrumentation's in a request of its own. */
function layerByLayer(spans: readonly SpanRecord[]): readonly (readonly SpanRecord[])[] {
  const layers = new Set(spans.map(({ scope }) => scope.name));
  return [...layers].map((layer) => spans.filter(({ scope }) => scope.name === layer));
}

/** By a clock that goes by so many nanoseconds. */
function byClock(spans: readonly SpanRecord[], tick: bigint): readonly SpanRecord[] {
  const told = (time: string) => String((BigInt(time) / tick) * tick);
  return spans.map((span) => ({
    ...span,
    startTimeUnixNano: told(span.startTimeUnixNano),
    ...(span.endTimeUnixNano !== undefined && { endTimeUnixNano: told(span.endTimeUnixNano) }),
  }));
}

function amountsOf(text: string, metric: string, label = ""): readonly string[] {
  const values = text.matchAll(new RegExp(`^${metric}{.*${label}.*} (\\S+)$`, "gm"));
  return Array.from(values, ([, value = ""]) => value);
}

function sumOf(text: string, metric: string, label?: string): number {
  return amountsOf(text, metric, label).reduce((sum, one) => sum + Number(one), 0);
}

/** Embeddings are no inference, which the metrics are of. */
function embeddedTokens(sessions: readonly Session[]): number {
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  return steps
    .filter(({ label }) => label === "embedding")
    .reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0);
}

/** The model calls that failed, each by its inmost account. */
function failedCalls(sessions: readonly Session[]): number {
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  const outer = new Set(steps.map((step) => step.outer_span_id));
  return steps.filter(
    ({ label, status, span_id }) =>
      label === "assistant_call" && status === "error" && !outer.has(span_id),
  ).length;
}

/** Its calls name no model; the span around them, which does, comes later. */
const UNPRICED = "codex";

/** Its layers make a trace each and name no session: a receiver writes two files, who has all of its spans one. */
const IN_TWO_FILES = "traceloop-anthropic-beside-own";

async function expectSameCounts(
  emitter: string,
  requests: readonly (readonly SpanRecord[])[],
): Promise<void> {
  const { text, ...written } = await received(requests);
  const sessions = emitter === IN_TWO_FILES ? assemble(requests.flat()) : written.sessions;
  const totals = sessions.flatMap(({ totals }) => totals ?? []);
  const all = (key: "model_calls" | "input_tokens" | "output_tokens") =>
    totals.reduce((sum, one) => sum + (one[key] ?? 0), 0);
  expect(all("model_calls")).toBeGreaterThan(0);
  expect({
    calls: sumOf(text, "gen_ai_client_inference_duration_seconds_count"),
    failed: sumOf(text, "gen_ai_client_inference_duration_seconds_count", "error_type="),
    input: sumOf(text, "gen_ai_client_inference_usage_input_tokens_total"),
    output: sumOf(text, "gen_ai_client_inference_usage_output_tokens_total"),
    cost: decimalSum(amountsOf(text, "thoughtflow_receiver_cost_usd_total")),
  }).toEqual({
    calls: all("model_calls"),
    failed: failedCalls(sessions),
    input: all("input_tokens") - embeddedTokens(sessions),
    output: all("output_tokens"),
    cost: emitter === UNPRICED ? "0" : decimalSum(totals.flatMap(costOf)),
  });
}

test.each(Object.entries(EXPORTS))(
  "%s: the metrics have the calls, tokens and cost of the documents",
  async (emitter, spans) => {
    await expectSameCounts(emitter, oneByOne(spans));
  },
);

const MIXED = Object.entries(EXPORTS).filter(([, spans]) => layerByLayer(spans).length > 1);

test.each(MIXED)(
  "%s: so they have whichever layer sends its spans first, by a clock of milliseconds or seconds",
  async (emitter, spans) => {
    for (const tick of [1_000_000n, 1_000_000_000n]) {
      const layers = layerByLayer(byClock(spans, tick));
      await expectSameCounts(emitter, layers);
      await expectSameCounts(emitter, layers.toReversed());
    }
  },
);

function costOf({ cost }: NonNullable<Session["totals"]>): readonly string[] {
  return cost?.total == null ? [] : [cost.total];
}

test("a cost that another instrumentation states is counted as the documents count it", async () => {
  const [call] =
    EXPORTS["pydantic-ai"]?.filter(({ attributes }) => "gen_ai.usage.input_tokens" in attributes) ??
    [];
  const attributes = {
    ...call?.attributes,
    "gen_ai.request.model": "of-nobody",
    "gen_ai.response.model": "of-nobody",
    "thoughtflow.cost.stated": 0.5,
  };
  const { text, totals } = await received([[{ ...call, attributes } as SpanRecord]]);
  expect(totals.map(({ cost }) => cost?.total)).toEqual(["0.5"]);
  expect(amountsOf(text, "thoughtflow_receiver_cost_usd_total")).toEqual(["0.5"]);
  expect(sumOf(text, "thoughtflow_receiver_unpriced_calls_total")).toBe(0);
});

test("what a cache keeps for an hour is paid as the documents have it", async () => {
  const call = {
    ...EXPORTS["pydantic-ai"]?.find(({ attributes }) => "gen_ai.usage.input_tokens" in attributes),
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-haiku-4-5",
      "gen_ai.usage.input_tokens": 3_000,
      "gen_ai.usage.output_tokens": 0,
      "gen_ai.usage.cache_write.input_tokens": 3_000,
      "thoughtflow.usage.cache_write_1h.input_tokens": 1_000,
    },
  } as SpanRecord;
  const { text, totals } = await received([[call]]);
  // A million costs 1.25 dollars, for an hour 2.
  expect(totals.map(({ cost }) => cost?.total)).toEqual(["0.0045"]);
  expect(amountsOf(text, "thoughtflow_receiver_cost_usd_total")).toEqual(["0.0045"]);
});
