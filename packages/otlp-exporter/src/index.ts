// The processor
export type { DeliveryCounts, DrainReport, FlushReport } from "./delivery.ts";
export type { OtlpDestination, OtlpExporterOptions } from "./options.ts";
export type { OtlpSpanProcessor } from "./otlp-span-processor.ts";
export { createOtlpSpanProcessor } from "./otlp-span-processor.ts";

// Looking whether a receiver is there
export type { ProbeResult } from "./probe.ts";
export { probeOtlp } from "./probe.ts";

// What another exporter needs as well
export { redactedSpan } from "./redacted-span.ts";
export { sendAtExit } from "./send-at-exit.ts";
