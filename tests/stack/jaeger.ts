import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../architecture/packages.ts";
import { jaegerBinary } from "./jaeger-binary.ts";

/** An attribute as OTLP JSON has it, reduced to plain values. */
type Attributes = Readonly<Record<string, unknown>>;

/** A span as `/api/v3/traces/{id}` returns it, attributes made plain. */
export interface JaegerSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Attributes;
  readonly links: readonly { readonly spanId: string; readonly attributes: Attributes }[];
  /** 2 is an error. */
  readonly statusCode: number;
}

/** A span as `/api/traces/{id}` returns it: what the web page draws. */
export interface JaegerUiSpan {
  readonly spanID: string;
  readonly operationName: string;
  readonly references: readonly { readonly refType: string; readonly spanID: string }[];
  readonly tags: readonly {
    readonly key: string;
    readonly type: string;
    readonly value: unknown;
  }[];
  readonly warnings: readonly string[] | null;
}

export interface Jaeger {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly otlpEndpoint: string;
  /** The spans of a trace by start time, once there are `count`; fails after ten seconds without them. */
  trace(traceId: string, count: number): Promise<readonly JaegerSpan[]>;
  /** The same trace as the web page gets it. */
  uiTrace(traceId: string): Promise<readonly JaegerUiSpan[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Jaeger of its own, in memory, on free loopback ports; resolves when it says that it is healthy. */
export async function startJaeger(): Promise<Jaeger> {
  const binary = jaegerBinary();
  const [otlp, http, grpc, health] = await freeAddresses(4);
  const child = spawn(binary, ["--config", join(ROOT, "deploy", "jaeger", "config.yaml")], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      JAEGER_OTLP_ADDRESS: otlp,
      JAEGER_HTTP_ADDRESS: http,
      JAEGER_GRPC_ADDRESS: grpc,
      JAEGER_HEALTH_ADDRESS: health,
    },
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  };

  try {
    await until(`Jaeger healthy: ${said}`, async () => {
      if (child.exitCode !== null) throw new Error(`Jaeger ended with ${child.exitCode}: ${said}`);
      return (await getJson(`http://${health}/status`))?.["healthy"] === true ? true : undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    otlpEndpoint: `http://${otlp}`,
    trace: (traceId, count) =>
      until(`${count} spans in trace ${traceId}`, async () => {
        const spans = spansOf(await getJson(`http://${http}/api/v3/traces/${traceId}`));
        return spans.length >= count ? spans : undefined;
      }),
    uiTrace: async (traceId) => {
      const body = await getJson(`http://${http}/api/traces/${traceId}`);
      return (body?.["data"] as [{ spans: JaegerUiSpan[] }] | undefined)?.[0].spans ?? [];
    },
    [Symbol.asyncDispose]: stop,
  };
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly links?: readonly { spanId: string; attributes?: readonly OtlpAttribute[] }[];
  readonly status: { readonly code?: number };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpValue {
  readonly intValue?: string;
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
  readonly [kind: string]: unknown;
}

function spansOf(body: Readonly<Record<string, unknown>> | undefined): readonly JaegerSpan[] {
  const result = body?.["result"] as
    | { resourceSpans?: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
    | undefined;
  return (result?.resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(({ traceId, spanId, parentSpanId, name, kind, attributes, links, status }) => ({
      traceId,
      spanId,
      parentSpanId,
      name,
      kind,
      attributes: plainAttributes(attributes),
      links: (links ?? []).map((link) => ({
        spanId: link.spanId,
        attributes: plainAttributes(link.attributes),
      })),
      statusCode: status.code ?? 0,
    }));
}

function plainAttributes(attributes: readonly OtlpAttribute[] = []): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: OtlpValue): unknown {
  if (value.intValue !== undefined) return Number(value.intValue);
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plainValue);
  return Object.values(value)[0];
}

/** The parsed answer, undefined while nothing listens or nothing is found. */
async function getJson(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(100)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`waited ten seconds in vain for: ${what}`);
}

/** Addresses that nothing listens on: all are held at once, then let go. */
async function freeAddresses(count: number): Promise<readonly string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const addresses = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return addresses;
}
