import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { ownProcessor } from "../apps/own-spans.cjs";

const ours = process.env.WITH_PROCESSOR
  ? [new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR })]
  : [];
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [ownProcessor, ...ours] }));
