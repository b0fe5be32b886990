// Observing

export type { CallLoggerProvider } from "./call-logger-provider.ts";
// The end of the process, and what went wrong until then
export { degradations } from "./degradation.ts";
export { endOpenRuns } from "./derived-runs.ts";
export { instrumentOpenAI } from "./instrument-openai.ts";
export { endOpenStreams } from "./open-streams.ts";
export { OpenAIInstrumentation } from "./openai-instrumentation.ts";
export type { OpenAIInstrumentationOptions, SpanSink } from "./options.ts";
export { markModelCall } from "./outer-call.ts";
export type { Unpatch } from "./replace-method.ts";
export { requestCounts } from "./request-counts.ts";

// For set-up code

export { setSpanSink } from "./span-sink.ts";
