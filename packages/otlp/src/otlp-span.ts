/** Anything may stand in an attribute; what OTLP has no form for is written as an empty value. */
export type OtlpAttributes = Readonly<Record<string, unknown>>;

/** Seconds since 1970 and nanoseconds. */
export type OtlpTime = readonly [seconds: number, nanoseconds: number];

/** Which span it is. */
export interface OtlpSpanContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean | undefined;
  readonly traceState?: { serialize(): string } | undefined;
}

/** What is known of the process. Spans that share one, by identity, share one entry of a request. */
export interface OtlpResource {
  readonly attributes: OtlpAttributes;
  readonly schemaUrl?: string | undefined;
}

/** What made a span. Spans that share one, by identity, share one entry of a request. */
export interface OtlpScope {
  readonly name: string;
  readonly version?: string | undefined;
  readonly schemaUrl?: string | undefined;
  readonly attributes?: OtlpAttributes | undefined;
  readonly droppedAttributesCount?: number | undefined;
}

/** An ended span, in the form of the OpenTelemetry SDK: a `ReadableSpan` of 2.x or 3.x is one. */
export interface OtlpSpan {
  readonly name: string;
  /** 0 internal, 1 server, 2 client, 3 producer, 4 consumer. */
  readonly kind: number;
  spanContext(): OtlpSpanContext;
  readonly parentSpanContext?: OtlpSpanContext | undefined;
  readonly startTime: OtlpTime;
  readonly endTime: OtlpTime;
  readonly status: { readonly code: number; readonly message?: string | undefined };
  readonly attributes: OtlpAttributes;
  readonly links: readonly {
    readonly context: OtlpSpanContext;
    readonly attributes?: OtlpAttributes | undefined;
    readonly droppedAttributesCount?: number | undefined;
  }[];
  readonly events: readonly {
    readonly name: string;
    readonly time: OtlpTime;
    readonly attributes?: OtlpAttributes | undefined;
    readonly droppedAttributesCount?: number | undefined;
  }[];
  readonly resource: OtlpResource;
  readonly instrumentationScope: OtlpScope;
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
}
