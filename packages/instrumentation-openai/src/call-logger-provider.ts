import type { Context } from "@opentelemetry/api";

/** As much of a `LoggerProvider` of `@opentelemetry/api-logs` as is used here: an app without logs doesn't load that. */
export interface CallLoggerProvider {
  getLogger(
    name: string,
    version: string,
    options: { readonly schemaUrl: string },
  ): { emit(record: CallLogRecord): void };
}

interface CallLogRecord {
  readonly eventName: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly context: Context;
  readonly attributes: Record<string, never>;
}
