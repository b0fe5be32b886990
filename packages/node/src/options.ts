import type { ContentCapture } from "@thoughtflow/tracing/internal";
/** Where and how spans are sent. Every field has a default; see `ThoughtFlowOptions.otlp`. */
export interface OtlpOptions {
  /**
   * The collector's base URL, http or https, as in `OTEL_EXPORTER_OTLP_ENDPOINT`: `/v1/traces` is added unless
   * the path already ends with it. Default `http://localhost:4318`.
   */
  readonly endpoint?: string;
  /** Sent with every request, over those of the environment. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `http/protobuf`. */
  readonly protocol?: OtlpProtocol;
  /**
   * What sends: `thoughtflow` is our own exporter, which keeps on disk what can't be sent, `official` are OpenTelemetry's.
   * `THOUGHTFLOW_OTLP_EXPORTER`. Default `thoughtflow`.
   */
  readonly exporter?: OtlpExporterName;
}

/** What sends spans. */
export type OtlpExporterName = "official" | "thoughtflow";

/** The two encodings that OTLP/HTTP has. */
export type OtlpProtocol = "http/protobuf" | "http/json";

/** Gets each text of a record and the attribute it stands in; gives the text to write. Must be synchronous. */
export type RedactHook = (text: string, attribute: string) => string;

/** How much OpenTelemetry's own diagnostics say on stderr. */
export type LogLevel = "none" | "error" | "warn" | "info" | "debug" | "verbose" | "all";

/**
 * What a caller of `startThoughtFlow` may pass. A field that is passed wins over its environment variable,
 * which wins over the default.
 */
export interface ThoughtFlowOptions {
  /** The flow directory, `THOUGHTFLOW_DIR`. Default `./thoughtflow`, made at the first record. */
  readonly dir?: string;
  /** The session of spans that belong to none otherwise, `THOUGHTFLOW_SESSION_ID`. */
  readonly sessionId?: string;
  /** Switches everything off, `THOUGHTFLOW_DISABLED` or `OTEL_SDK_DISABLED`. Default false. */
  readonly disabled?: boolean;
  /**
   * Bytes that the flow directory may take, `THOUGHTFLOW_MAX_DISK_BYTES`: when there are more, the oldest sessions of ended
   * processes go. Default 10 GiB; `Infinity` keeps all.
   */
  readonly maxDiskBytes?: number;
  /**
   * Which of what people, models and tools said stands in files, `THOUGHTFLOW_CAPTURE_CONTENT`: true, false, or a list of
   * `system`, `input`, `output`, `tools`, `arguments`, `results` (with commas in the variable). Default true.
   */
  readonly captureContent?: ContentCapture;
  /**
   * The same for spans that leave the process, `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`.
   * Default false.
   */
  readonly captureContentOnSpans?: ContentCapture;
  /**
   * The same for log records, one for each model call, where the app has a logger provider; `EVENT_ONLY` or
   * `SPAN_AND_EVENT` in that variable. Default false: there are no such records.
   */
  readonly captureContentInLogs?: ContentCapture;
  /**
   * Whether the journal keeps each model call as it was sent and answered, `THOUGHTFLOW_CAPTURE_RAW`, for `raw_request` and
   * `raw_response` of a store; only where all content is captured. Default false.
   */
  readonly captureRaw?: boolean;
  /**
   * True masks what looks like a key or token; a function does so too and then sees every text; false writes
   * texts as they are. `THOUGHTFLOW_REDACT` takes true or false. Default true.
   */
  readonly redact?: boolean | RedactHook;
  /** Whether a model call without an active span opens a run of its own, `THOUGHTFLOW_DERIVED_RUNS`. Default true. */
  readonly derivedRuns?: boolean;
  /**
   * Whether spans and metrics have the names of older conventions beside the newest, for backends that still read
   * those: `gen_ai.system`, `gen_ai.usage.prompt_tokens` …, `THOUGHTFLOW_LEGACY_NAMES`. Default false.
   */
  readonly legacyNames?: boolean;
  /**
   * A file with prices of one's own, asked before the table of genai-prices, `THOUGHTFLOW_PRICES`: JSON,
   * `{ "version": "…", "providers": […] }`, the providers in the form of genai-prices.
   */
  readonly prices?: string;
  /**
   * A store that takes in what the files say, `THOUGHTFLOW_STORE_URL`: `postgres://…` or the path of a SQLite file. Needs the
   * package `@thoughtflow/store`. In a thread of its own, every five seconds and at the end; what it can't take stays in the
   * files and is taken in later. Default: none.
   */
  readonly storeUrl?: string;
  /** `THOUGHTFLOW_LOG_LEVEL`, else `OTEL_LOG_LEVEL`. Default `none`. */
  readonly logLevel?: LogLevel;
  /**
   * Sending over OTLP/HTTP. Default: only if `OTEL_EXPORTER_OTLP_ENDPOINT` or
   * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` names a place; false never sends, true sends to the default endpoint.
   */
  readonly otlp?: boolean | OtlpOptions;
  /**
   * The `OpenAI` class, where it was loaded before the start, as in an ES module that imports both: then no module
   * hook sees it. Without meaning under `--import @thoughtflow/node/register`.
   */
  readonly openai?: unknown;
}

/** Where spans go, completely resolved. */
export interface OtlpConfig {
  /** The full URL, path included. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: OtlpProtocol;
  readonly exporter: OtlpExporterName;
  readonly compression: "none" | "gzip";
  /** How long one export may take, retries included. */
  readonly timeoutMillis: number;
  /** How long an ended span waits for others before it is sent. */
  readonly scheduleDelayMillis: number;
  /** Spans waiting at most; more are dropped and counted. */
  readonly maxQueueSize: number;
  /** Spans in one request at most. */
  readonly maxExportBatchSize: number;
  /** Paths of PEM files. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** How much one span may hold, in OpenTelemetry's words. */
export interface SpanLimitsConfig {
  readonly attributeCountLimit: number;
  readonly attributeValueLengthLimit: number;
  readonly linkCountLimit: number;
  readonly eventCountLimit: number;
}

/** All that was decided at start. */
export interface ThoughtFlowConfig {
  readonly dir: string;
  readonly sessionId?: string;
  readonly disabled: boolean;
  readonly maxDiskBytes: number;
  readonly captureContent: ContentCapture;
  readonly captureContentOnSpans: ContentCapture;
  readonly captureContentInLogs: ContentCapture;
  readonly captureRaw: boolean;
  readonly redact: boolean | RedactHook;
  readonly derivedRuns: boolean;
  readonly legacyNames: boolean;
  readonly prices?: string;
  readonly storeUrl?: string;
  readonly logLevel: LogLevel;
  /** Absent: nothing touches the network. */
  readonly otlp?: OtlpConfig;
  readonly spanLimits: SpanLimitsConfig;
  /** Settings that were understood otherwise than they were written, one sentence each; to be shown once. */
  readonly notices: readonly string[];
}
