import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { Dialect, DialectAttributes, StreamFold } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing/internal";
import type { PlacedCall, SessionMatch } from "@thoughtflow/workflow";
import type { ResponseProps } from "./api-promise.ts";
import type { ChunkClock } from "./call-metrics.ts";
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
  outer: OuterCall | undefined;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
  /** Of the last attempt's answer; read when the call is told of. */
  response: ResponseProps["response"];
  /** Attributes that came to be known on the way, written at the end. */
  readonly found: Attributes;
  /** The answer, one message for each choice; empty until the call has ended. */
  output: readonly GenAiMessage[];
  /** Set at the end, where "it answered" is not the whole story. */
  outcome: Outcome | undefined;
  session: SessionMatch | undefined;
  /** Where its own history puts it, which a run that is open already overrules. */
  placed: PlacedCall | undefined;
  /** Set once the answer turned out to be a stream. */
  fold: StreamFold | undefined;
  /** What the SDK keeps of the request, by which a retry is known. */
  options: unknown;
  retries: number;
  /** Of a stream, as far as it was read. */
  chunks: number;
  /** Set with the first chunk, where somebody takes metrics. */
  chunkClock: ChunkClock | undefined;
  parsing: boolean;
  observed: boolean;
  ended: boolean;
  /** The answer that is not read yet, until it is watched. */
  unread: object | undefined;
  /** Lets go of what waits for an abort, and of what watches the answer. */
  release: (() => void) | undefined;
}

/** The answer is being read, or the call has ended: nothing waits for that any more. */
export function letGo(call: ModelCall): void {
  call.unread = undefined;
  call.release?.();
  call.release = undefined;
}
