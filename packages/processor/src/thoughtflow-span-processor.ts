import type { Context } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { ContentCapture } from "@thoughtflow/tracing/internal";
import type { FlowWriter } from "./flow-writer.ts";
import { flowWriterFor } from "./flow-writers.ts";

/** What `ThoughtFlowSpanProcessor` may be given; all have defaults. */
export interface ThoughtFlowSpanProcessorOptions {
  /** The flow directory. Default `./thoughtflow`, made at the first record. */
  readonly dir?: string;
  /** Which of what people, models and tools said files hold: all, none, or a list of kinds. Default true. */
  readonly captureContent?: ContentCapture;
  /**
   * Whether the journal keeps each model call as it was sent and answered, beside what the document needs: for
   * `rawRequest` and `rawResponse` of a store. Only where all content is captured. Default false.
   */
  readonly captureRaw?: boolean;
  /** The session of spans that belong to none otherwise. */
  readonly sessionId?: string;
  /**
   * Bytes that the flow directory may take: when there are more, the oldest sessions go, of processes that have ended.
   * Default 10 GiB; `Infinity` keeps all.
   */
  readonly maxDiskBytes?: number;
}

/**
 * Keeps every span of a session and writes its ThoughtFlow file. Add it to a `NodeTracerProvider` or `NodeSDK`,
 * beside other processors, in any order; several with one directory share what they keep. Spans of a trace that
 * says nothing of an agent leave no file. Never throws, never waits on the caller's path.
 */
export class ThoughtFlowSpanProcessor implements SpanProcessor {
  readonly #writer: FlowWriter;

  constructor(options: ThoughtFlowSpanProcessorOptions = {}) {
    const { dir = "./thoughtflow", captureContent = true, sessionId, maxDiskBytes } = options;
    const { captureRaw = false } = options;
    this.#writer = flowWriterFor({
      dir,
      captureContent,
      captureRaw,
      sessionId,
      ...(maxDiskBytes !== undefined && { maxBytes: maxDiskBytes }),
    });
  }

  /** Stamps the span with its session, run and place in the order of things. */
  onStart(span: Span, parentContext: Context): void {
    this.#writer.started(span, parentContext);
  }

  /** Takes the span; the rest happens later, off the caller's path. */
  onEnd(span: ReadableSpan): void {
    this.#writer.ended(span);
  }

  /** Writes all that is known, journal and documents, and resolves when it is on disk. */
  forceFlush(): Promise<void> {
    return this.#writer.flush();
  }

  /**
   * The same, at once and synchronously: for the end of a process. `reason` stands in the record of runs that
   * are still open.
   */
  flushSync(reason: string): void {
    this.#writer.flushSync(reason);
  }

  shutdown(): Promise<void> {
    return this.#writer.flush();
  }
}
