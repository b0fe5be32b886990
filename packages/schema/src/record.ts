import type { ContentList } from "./content-list.ts";
import type { StoredText } from "./stored-text.ts";

/**
 * Records: the only input of assembly. A span record holds exactly what OTLP can carry (span, scope,
 * resource), in OTLP's own words; what else assembly needs is an attribute. Records are plain data and
 * survive JSON.
 */

/** A value that OTLP can carry and a JS span can hold. Absent array items are `null`. */
export type AttributeValue =
  | string
  | number
  | boolean
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly (boolean | null)[];

/** Attributes by name. Never looked up through the prototype chain: use `Object.hasOwn` or `Object.entries`. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * Content attributes as JSON text: `gen_ai.input.messages` and its like. A list may come in pieces, one JSON
 * text for each element, so that the messages of a growing history are shared between records instead of
 * copied; `["1","2"]` and `"[1,2]"` mean the same, and so does a `ContentList` of the two. A text may be a `StoredText`.
 */
export type ContentAttributes = Readonly<
  Record<string, string | StoredText | readonly string[] | ContentList>
>;

/** The kind of a span in OpenTelemetry's words. */
export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

/** How a span says that it ended; `unset` where it says nothing. */
export interface SpanStatus {
  readonly code: "unset" | "ok" | "error";
  readonly message?: string;
}

/** Something that happened while a span was open. */
export interface SpanEvent {
  readonly name: string;
  /** Nanoseconds since 1970, decimal. */
  readonly timeUnixNano: string;
  readonly attributes: Attributes;
  readonly droppedAttributesCount?: number;
}

/** Another span that a span names, of any trace. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
  readonly droppedAttributesCount?: number;
}

/** The instrumentation that made a span. */
export interface Scope {
  readonly name: string;
  readonly version?: string;
}

/** One span, ended (`span_end`) or just started (`span_start`, a skeleton with the request's content). */
export interface SpanRecord {
  readonly type: "span_end" | "span_start";
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** True when the parent lives in another process (OTLP span flags, bits 8 and 9). */
  readonly parentIsRemote?: boolean;
  readonly name: string;
  readonly kind: SpanKind;
  /** Nanoseconds since 1970, decimal. */
  readonly startTimeUnixNano: string;
  /** Nanoseconds since 1970, decimal; absent on `span_start`. */
  readonly endTimeUnixNano?: string;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  /** Content attributes; they may also stand in `attributes` as strings, as OTLP carries them. */
  readonly content?: ContentAttributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** What span limits took away; each absent when 0. */
  readonly droppedAttributesCount?: number;
  readonly droppedEventsCount?: number;
  readonly droppedLinksCount?: number;
  readonly scope: Scope;
  readonly resource: Attributes;
}

/**
 * What time or a crash decided about a session or a run, written once by the process that decided it.
 * `assemble` has no clock; this is how one speaks to it.
 */
export interface SessionRecord {
  readonly type: "session";
  readonly sessionId: string;
  /** The run that is meant, as `<trace id>/<local-root span id>`; absent: the whole session. */
  readonly runKey?: string;
  /** `running` ends nothing: the run hangs, or records of the session were lost, as its process saw it. */
  readonly status: "completed" | "abandoned" | "error" | "aborted" | "running";
  /** Why: `idle_timeout`, `stalled`, `process_exit`, `recovered_after_crash`, `journal_deleted` … */
  readonly reason: string;
  /** Nanoseconds since 1970, decimal. */
  readonly timeUnixNano: string;
}

/**
 * Erases what is named: a whole session, one span of it, or of what was told of a span one body, which something else has taken
 * the place of. Counted in the revision, never shown.
 */
export interface TombstoneRecord {
  readonly type: "tombstone";
  readonly sessionId: string;
  readonly traceId?: string;
  readonly spanId?: string;
  /** The SHA-256 of the body, in hex, as `digestOfSpan` of `@thoughtflow/assemble` tells it; only with the two ids. */
  readonly body?: string;
  /** Which time something is said of the body: by the first one it is erased, by the second there again, and so on; the last one holds. Default 1. */
  readonly turn?: number;
}

/**
 * What a journal holds and a document is made of: a span, what was decided about a session, or that something was
 * erased.
 */
export type FlowRecord = SpanRecord | SessionRecord | TombstoneRecord;
