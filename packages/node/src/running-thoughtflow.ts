import type { FlushReport } from "@thoughtflow/otlp-exporter";
import type { ThoughtFlowConfig } from "./options.ts";

/** A running ThoughtFlow; there is one a process. */
export interface ThoughtFlow {
  readonly config: ThoughtFlowConfig;
  /**
   * Resolves when every ended span is in its file, and confirmed by the OTLP receiver or known not to be: the report
   * says how many, and why. Never rejects. For serverless, before it freezes.
   */
  flush(): Promise<FlushReport>;
  /** Flushes and ends; spans that start afterwards go nowhere. A later start begins anew. */
  shutdown(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
