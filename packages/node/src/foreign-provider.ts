import type { Span } from "@opentelemetry/api";
import type { Span as SdkSpan, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { SpanSink } from "@thoughtflow/instrumentation-openai";
import { warn } from "./warn.ts";

/**
 * Feeds our processor with spans that the app's own provider made. Spans of an SDK that isn't OpenTelemetry's own
 * can't be read; that is told once.
 */
export function sinkInto(processor: SpanProcessor): SpanSink {
  let hasTold = false;

  function isReadable(span: Span): span is SdkSpan {
    if (!span.isRecording() && !("endTime" in span)) return false;
    if ("attributes" in span && "resource" in span && "startTime" in span) return true;
    if (!hasTold) {
      hasTold = true;
      const message =
        "The app's OpenTelemetry provider makes spans that can't be read: there will be no ThoughtFlow files.";
      warn("THOUGHTFLOW_PROVIDER_UNKNOWN", message);
    }
    return false;
  }

  return {
    onStart(span, parentContext) {
      if (isReadable(span)) processor.onStart(span, parentContext);
    },
    onEnd(span) {
      if (isReadable(span)) processor.onEnd(span);
    },
  };
}
