const { context, trace } = require("@opentelemetry/api");
const { AsyncLocalStorageContextManager } = require("@opentelemetry/context-async-hooks");
const { TracerProvider } = require("@opentelemetry/sdk-trace");
const { ThoughtFlowSpanProcessor } = require("@thoughtflow/processor");
const { ownProcessor } = require("../apps/own-spans.cjs");

const ours = process.env.WITH_PROCESSOR
  ? [new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR })]
  : [];
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [ownProcessor, ...ours] }));
