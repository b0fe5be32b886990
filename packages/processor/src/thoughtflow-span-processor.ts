import type { Context } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-node";

/** What `ThoughtFlowSpanProcessor` may be given; all have defaults. */
export interface ThoughtFlowSpanProcessorOptions {
  /** The flow directory. Default `./thoughtflow`, made at the first record. */
  readonly dir?: string;
  /** Whether files hold what people, models and tools said. Default true. */
  readonly captureContent?: boolean;
  /** The session of spans that belong to none otherwise. */
  readonly sessionId?: string;
}

/** Keeps every span of a session and writes its ThoughtFlow file. */
export class ThoughtFlowSpanProcessor implements SpanProcessor {
  constructor(_options: ThoughtFlowSpanProcessorOptions = {}) {}

  onStart(_span: Span, _parentContext: Context): void {}

  onEnd(_span: ReadableSpan): void {}

  /** Writes all that is known, journal and documents, and resolves when it is on disk. */
  async forceFlush(): Promise<void> {}

  /** The same, at once and synchronously: for `process.on("exit")`. `reason` stands in the session record of open runs. */
  flushSync(_reason: string): void {}

  async shutdown(): Promise<void> {}
}
