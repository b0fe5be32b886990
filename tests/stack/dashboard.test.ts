import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SpanRecord } from "@thoughtflow/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { startCollector } from "./collector.ts";
import { madeSpan, sendSpans } from "./made-spans.ts";
import { startOtlpSink } from "./otlp-sink.ts";
import { getJson, until } from "./polling.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";
import { type Receiver, receiverPlace } from "./receiver.ts";
import { runApp } from "./run-app.ts";
import { startTempo, type Tempo } from "./tempo.ts";

interface Target {
  readonly expr?: string;
  readonly query?: string;
  readonly datasource: { readonly type: string };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets: readonly Target[];
}

const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(
  await readFile(join(ROOT, "deploy", "grafana", "dashboards", "live.json"), "utf8"),
);

let tempo: Tempo;
let prometheus: Prometheus;
let receiver: Receiver;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  tempo = running.use(await startTempo());
  const jaeger = running.use(await startOtlpSink());
  receiver = await running.use(await receiverPlace()).start();
  running.use(receiver);
  prometheus = running.use(await startPrometheus(receiver.url));
  const { otlpEndpoint } = running.use(
    await startCollector("dev.yaml", {
      JAEGER_OTLP_ENDPOINT: jaeger.url,
      TEMPO_OTLP_ENDPOINT: tempo.otlpEndpoint,
      THOUGHTFLOW_OTLP_ENDPOINT: receiver.url,
    }),
  );
  // A rate needs two looks at a counter: traffic, before the first and after it.
  await traffic(otlpEndpoint, 1);
  await until("the first scrape", () =>
    found(inPrometheus("thoughtflow_receiver_spans_total > 0")),
  );
  await traffic(otlpEndpoint, 2);
}, 300_000);
afterAll(() => running.disposeAsync());

/** Two unmodified apps, one that declares what its steps rest on, and calls of another program: slow, failed, cached, broken. */
async function traffic(otlpEndpoint: string, round: number): Promise<void> {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint };
  await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", to);
  await runApp("responses-tool-loop.mjs", "simonw-llm/responses-stream-reasoning-tool-loop", to);
  await runApp("declared.mjs", undefined, to);
  const trace = round;
  const session = "made";
  const call = (at: number, more: Partial<SpanRecord>, attributes: SpanRecord["attributes"] = {}) =>
    madeSpan({
      trace,
      span: round * 100 + at,
      session,
      operation: "chat",
      ...more,
      attributes: { "gen_ai.request.model": "made-model", ...attributes },
    });
  const now = Date.now();
  await sendSpans(otlpEndpoint, [
    call(1, { status: { code: "error" } }, { "error.type": "rate_limit" }),
    call(2, { startTimeUnixNano: `${now - 90_000}000000`, endTimeUnixNano: `${now}000000` }),
    call(
      3,
      {},
      {
        "gen_ai.usage.input_tokens": 5_000_000,
        "gen_ai.usage.cache_read.input_tokens": 4_000_000,
        "gen_ai.usage.output_tokens": 1_000,
        "gen_ai.response.time_to_first_chunk": 0.4,
      },
    ),
  ]);
  // A Collector would not let it through.
  await sendSpans(receiver.url, [{ ...call(4, {}), spanId: "0".repeat(16) }]);
}

async function inPrometheus(query: string): Promise<readonly number[]> {
  const address = `${prometheus.url}/api/v1/query?query=${encodeURIComponent(query)}`;
  const answer = (await getJson(address)) as
    | { data: { result: readonly { value: readonly [number, string] }[] } }
    | undefined;
  return (answer?.data.result ?? []).map(({ value }) => Number(value[1]));
}

/** Of a metric the values of its samples, of a search how many spans each trace has. */
async function inTempo(query: string, isTable: boolean): Promise<readonly number[]> {
  const now = Math.ceil(Date.now() / 1000);
  const params = new URLSearchParams({ q: query, start: String(now - 600), end: String(now) });
  const path = isTable ? "search" : "metrics/query_range";
  if (!isTable) params.set("step", "15s");
  const answer = await getJson(`${tempo.queryEndpoint}/api/${path}?${params}`);
  const { traces = [], series = [] } = (answer ?? {}) as {
    readonly traces?: readonly { spanSet: { matched: number } }[];
    readonly series?: readonly { samples: readonly { value?: number }[] }[];
  };
  return isTable
    ? traces.map(({ spanSet }) => spanSet.matched)
    : series.flatMap(({ samples }) => samples.map(({ value = 0 }) => value));
}

/** Values of which one says something. */
async function found(values: Promise<readonly number[]>): Promise<readonly number[] | undefined> {
  const all = await values;
  return all.some((value) => value > 0) ? all : undefined;
}

describe("every query of the dashboard has an answer from our data", () => {
  test.each(panels)(
    "$title",
    async ({ title, type, targets }) => {
      expect(targets.length).toBeGreaterThan(0);
      for (const { expr, query, datasource } of targets) {
        const asked = (expr ?? query ?? "")
          .replaceAll("$__rate_interval", "5m")
          .replaceAll("$__range", "1h");
        await until(`${title}: ${asked}`, () =>
          found(
            datasource.type === "prometheus"
              ? inPrometheus(asked)
              : inTempo(asked, type === "table"),
          ),
        );
      }
    },
    120_000,
  );
});

interface Rule {
  readonly name: string;
  readonly query: string;
  readonly health: string;
  readonly state: string;
}

async function rules(): Promise<readonly Rule[]> {
  const answer = await getJson(`${prometheus.url}/api/v1/rules`);
  const data = answer?.["data"] as { groups: readonly { rules: readonly Rule[] }[] } | undefined;
  return data?.groups.flatMap((group) => group.rules) ?? [];
}

test("every alert is raised by what it is for", async () => {
  const isRaised = async (name: string) => {
    const rule = (await rules()).find((one) => one.name === name);
    return rule?.health === "ok" && rule.state !== "inactive" ? true : undefined;
  };
  const names = (await rules()).map(({ name }) => name);
  expect(names).toContain("ReceiverDown");
  for (const name of names.filter((one) => one !== "ReceiverDown"))
    await until(`${name} to be raised`, () => isRaised(name));
  expect(await isRaised("ReceiverDown")).toBe(undefined);
  await receiver[Symbol.asyncDispose]();
  await until("ReceiverDown to be raised", () => isRaised("ReceiverDown"));
}, 300_000);
