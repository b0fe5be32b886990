import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { Dialect, DialectAttributes, StreamFold } from "@thoughtflow/dialects";
import type { ModelCallContent } from "@thoughtflow/tracing";
import type { PlacedCall, SessionMatch } from "@thoughtflow/workflow";
import type { DerivedRun } from "./derived-runs.ts";
import type { Observer } from "./observer.ts";
import type { OuterCall } from "./outer-call.ts";

/** How a call ended where "it answered" is not the whole story. */
export type Outcome = "cancelled" | "aborted" | "raw_response" | "abandoned" | "error";

/** One call from `create()` to the moment the caller has all of the answer, or gives it up. */
export interface ModelCall {
  readonly observer: Observer;
  readonly dialect: Dialect;
  readonly span: Span;
  /** What the SDK's own work runs in. */
  readonly context: Context;
  readonly content: ModelCallContent;
  /** What the span began with. */
  readonly startAttributes: Attributes;
  /** The request's attributes. */
  readonly parameters: DialectAttributes;
  /** Whether the API has a history: chat and responses. */
  readonly hasHistory: boolean;
  readonly run: DerivedRun | undefined;
  /** The span of another instrumentation that reports this call too. */
  readonly outer: OuterCall | undefined;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
  /** Attributes that came to be known on the way, written at the end. */
  readonly found: Attributes;
  session: SessionMatch | undefined;
  /** Where its own history puts it, which a run that is open already overrules. */
  placed: PlacedCall | undefined;
  /** Set once the answer turned out to be a stream. */
  fold: StreamFold | undefined;
  retries: number;
  /** Of a stream, as far as it was read. */
  chunks: number;
  parsing: boolean;
  observed: boolean;
  ended: boolean;
  /** Stands for the answer that is not read yet. */
  unread: object | undefined;
  /** Lets go of what waits for an abort. */
  release: (() => void) | undefined;
}
