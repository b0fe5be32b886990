import type { SpanContext } from "@opentelemetry/api";

/** What is enough to depend on a step: a handle is one, and so is what a program kept of it or sent elsewhere. */
export interface StepReference {
  readonly id: string;
  /** Absent: the run that asks, else wherever the session has the id. */
  readonly runId?: string | undefined;
  /** Absent: the session that asks. */
  readonly sessionId?: string | undefined;
  /** With it the dependency is a span link too. */
  readonly spanContext?: SpanContext | undefined;
}
