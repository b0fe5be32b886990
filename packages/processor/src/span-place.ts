/** Where a span stands. */
export interface SpanPlace {
  /** Children inherit it. */
  readonly runId: string;
  /** Whether it has no parent in this process. */
  readonly isRoot: boolean;
  /** Of its run. */
  readonly rootSpanId: string;
}
