import { type Jaeger, startJaeger } from "../jaeger.ts";
import { getJson, until } from "../polling.ts";
import { type FinishedApp, runApp } from "../run-app.ts";
import { startTempo, type Tempo } from "../tempo.ts";
import { drawnTrace, type PicturedSpan } from "./drawn-trace.ts";

const SESSION = "dragons";
const SPANS = 6;
/** What "View in Tempo and Grafana" asks. */
const QUERY = `{ span.session.id = "${SESSION}" }`;

/** What backends answer about one run of an app, as pictures, by the names of their files. */
export async function backendPictures(): Promise<Readonly<Record<string, string>>> {
  await using jaeger = await startJaeger();
  await using tempo = await startTempo();
  return {
    "jaeger-trace": await jaegerPicture(jaeger),
    "tempo-trace": await tempoPicture(tempo),
  };
}

function agentAt({ otlpEndpoint }: Pick<Jaeger, "otlpEndpoint">): Promise<FinishedApp> {
  return runApp("run-tools.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
    THOUGHTFLOW_SESSION_ID: SESSION,
  });
}

async function jaegerPicture(jaeger: Jaeger): Promise<string> {
  const { sessions } = await agentAt(jaeger);
  const traceId = sessions[0]?.conversations[0]?.trace_id ?? "";
  await jaeger.trace(traceId, SPANS);
  const spans = await jaeger.uiTrace(traceId);
  return drawnTrace(
    "Jaeger: a run, its model calls and tools",
    "drawn from what Jaeger 2.13 answers at /api/traces/<trace id>, which its page is made of",
    spans.map(({ spanID, operationName, references, tags, startTime, duration }) => ({
      spanId: spanID,
      parentSpanId: references.find(({ refType }) => refType === "CHILD_OF")?.spanID,
      name: operationName,
      startMs: startTime / 1000,
      durationMs: duration / 1000,
      attributes: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
      links: references
        .filter(({ refType }) => refType !== "CHILD_OF")
        .map(({ refType, spanID }) => ({ spanId: spanID, type: refType })),
    })),
  );
}

interface FoundTraces {
  readonly traces?: readonly { readonly traceID: string }[];
}

interface TempoSpan {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly TempoAttribute[];
  readonly links?: readonly {
    readonly spanId: string;
    readonly attributes?: readonly TempoAttribute[];
  }[];
}

interface TempoAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TempoTrace {
  readonly trace?: {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly spans: readonly TempoSpan[] }[];
    }[];
  };
}

async function tempoPicture(tempo: Tempo): Promise<string> {
  await agentAt(tempo);
  const search = `${tempo.queryEndpoint}/api/search?q=${encodeURIComponent(QUERY)}`;
  const spans = await until("the whole trace", async () => {
    const { traces = [] } = ((await getJson(search)) ?? {}) as FoundTraces;
    const [found] = traces;
    if (found === undefined) return undefined;
    const answer = await getJson(`${tempo.queryEndpoint}/api/v2/traces/${found.traceID}`);
    const all = spansIn((answer ?? {}) as TempoTrace);
    return all.length === SPANS ? all : undefined;
  });
  return drawnTrace(
    `Tempo: what ${QUERY} finds`,
    "drawn from what Tempo answers at /api/search and /api/v2/traces/<trace id>, which Grafana shows",
    spans,
  );
}

function spansIn({ trace }: TempoTrace): readonly PicturedSpan[] {
  return (trace?.resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => {
      const startMs = Number(span.startTimeUnixNano) / 1e6;
      return {
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        name: span.name,
        startMs,
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        attributes: valuesOf(span.attributes),
        links: (span.links ?? []).map(({ spanId, attributes }) => ({
          spanId,
          type: String(valuesOf(attributes)["thoughtflow.link.type"]),
        })),
      };
    });
}

function valuesOf(attributes: readonly TempoAttribute[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
