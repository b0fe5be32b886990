import { metrics } from "@opentelemetry/api";
import { OpenAIInstrumentation } from "@opentelemetry/instrumentation-openai";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import * as openai from "openai";
import { arrivals, nullLogExporter, nullSpanExporter } from "../null-sink.mjs";
import { inSpan, providerOf, QUEUE } from "../tracing-provider.mjs";

/** A call with 100 messages has 101 records: as many calls a batch as with spans. */
const BATCH = 512 * 101;

/** Declares openai below 7 and does nothing with 7, silently: its patch is applied by hand. Content is in log records. */
export function start(options) {
  const spans = providerOf(nullSpanExporter);
  const records = new BatchLogRecordProcessor({
    exporter: nullLogExporter,
    maxQueueSize: QUEUE,
    maxExportBatchSize: BATCH,
  });
  const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true });
  instrumentation.setTracerProvider(spans.provider);
  instrumentation.setLoggerProvider(new LoggerProvider({ processors: [records] }));
  instrumentation.setMeterProvider(metrics.getMeterProvider());
  const [definition] = instrumentation.init();
  definition.patch({ OpenAI: openai.OpenAI });
  return {
    client: new openai.OpenAI(options),
    async settle() {
      await spans.settle();
      await records.forceFlush();
    },
    inRun: inSpan,
    recorded: arrivals,
  };
}
