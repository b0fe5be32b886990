import { getJson, until } from "./polling.ts";

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
  /** Microseconds. */
  readonly startTime: number;
  /** Microseconds. */
  readonly duration: number;
  readonly references: readonly { readonly refType: string; readonly spanID: string }[];
  readonly tags: readonly {
    readonly key: string;
    readonly type: string;
    readonly value: unknown;
  }[];
  readonly warnings: readonly string[] | null;
}

/** Asks a Jaeger over its HTTP API. */
export interface JaegerClient {
  /** The spans of a trace, the root first, then by start time, once there are `count`; fails after ten seconds without them. */
  trace(traceId: string, count: number): Promise<readonly JaegerSpan[]>;
  /** The same trace as the web page gets it. */
  uiTrace(traceId: string): Promise<readonly JaegerUiSpan[]>;
}

/** A client of the Jaeger whose query API is at `url`, without a slash at the end. */
export function createJaegerClient(url: string): JaegerClient {
  return {
    trace: (traceId, count) =>
      until(`${count} spans in trace ${traceId}`, async () => {
        const spans = spansOf(await getJson(`${url}/api/v3/traces/${traceId}`));
        return spans.length >= count ? spans : undefined;
      }),
    uiTrace: async (traceId) => {
      const body = await getJson(`${url}/api/traces/${traceId}`);
      return (body?.["data"] as [{ spans: JaegerUiSpan[] }] | undefined)?.[0].spans ?? [];
    },
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
    | { resourceSpans?: { scopeSpans: { spans?: OtlpSpan[] }[] }[] }
    | undefined;
  return (result?.resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans = [] }) => spans))
    .sort(
      (a, b) =>
        Number((b.parentSpanId ?? "") === "") - Number((a.parentSpanId ?? "") === "") ||
        Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)),
    )
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
