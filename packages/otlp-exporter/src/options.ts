/** Where spans go and how. */
export interface OtlpDestination {
  /** The full URL, path included, `http:` or `https:`. */
  readonly url: string;
  /** Sent with every request; credentials and tenants stand here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/protobuf" | "http/json";
  readonly compression: "none" | "gzip";
  /** Paths of PEM files. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** How long one request may take, from the first byte sent to the last one read. */
  readonly timeoutMillis: number;
}

/** What a caller may pass; only `url` has no default. */
export interface OtlpExporterOptions extends Partial<OtlpDestination> {
  readonly url: string;
  /** How long an ended span waits for others before it is sent. Default 1,000. */
  readonly scheduleDelayMillis?: number;
  /** Spans in one request at most. Default 512. */
  readonly maxBatchSpans?: number;
  /** Bytes of one request at most, before compression; a single span may be larger. Default 4 MiB. */
  readonly maxBatchBytes?: number;
  /** Bytes of requests that wait in memory; what comes then goes to the spool. Default 16 MiB. */
  readonly maxQueueBytes?: number;
  /** Ended spans that wait to be encoded; at that number the thread that ends the next one encodes them. Default 2,048. */
  readonly maxPendingSpans?: number;
  /** A flow directory, for the spool in its `.spool`. Without one, what can't be sent is lost with the process. */
  readonly spoolDir?: string;
  /** Bytes of the spool at most; the oldest go first. Default 256 MiB. */
  readonly maxSpoolBytes?: number;
  /** How long a request stays in the spool. Default 24 hours. */
  readonly maxSpoolAgeMillis?: number;
}

/** All that was decided. */
export interface OtlpExporterConfig extends OtlpDestination {
  readonly scheduleDelayMillis: number;
  readonly maxBatchSpans: number;
  readonly maxBatchBytes: number;
  readonly maxQueueBytes: number;
  readonly maxPendingSpans: number;
  readonly spoolDir?: string;
  readonly maxSpoolBytes: number;
  readonly maxSpoolAgeMillis: number;
}

const DEFAULTS: Omit<OtlpExporterConfig, "url"> = {
  headers: {},
  protocol: "http/protobuf",
  compression: "none",
  tls: {},
  timeoutMillis: 10_000,
  scheduleDelayMillis: 1_000,
  maxBatchSpans: 512,
  maxBatchBytes: 4 << 20,
  maxQueueBytes: 16 << 20,
  maxPendingSpans: 2_048,
  maxSpoolBytes: 256 << 20,
  maxSpoolAgeMillis: 24 * 3_600_000,
};

/** Options over defaults. Pure; throws a TypeError for a URL that is none. */
export function resolveOtlpExporterOptions(options: OtlpExporterOptions): OtlpExporterConfig {
  const { protocol } = new URL(options.url);
  if (protocol !== "http:" && protocol !== "https:") {
    throw new TypeError(`an OTLP endpoint is an http or https URL, not ${options.url}`);
  }
  return { ...DEFAULTS, ...options };
}

/** The receiver without the credentials that a URL may hold. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
