import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { encodeJsonRequest, encodeProtobufRequest } from "@thoughtflow/otlp";
import { createRedactor } from "@thoughtflow/redaction";
import { setRedactor } from "@thoughtflow/tracing/internal";
import OpenAI from "openai";
import { arrivals, arrive, isKept, nullSpanExporter } from "../null-sink.mjs";
import { inSpan, providerOf } from "../tracing-provider.mjs";

/** Makes the bytes that would be sent, and lets them go. */
const unsentOtlp = {
  export(spans, done) {
    encodeProtobufRequest(spans);
    if (isKept()) arrive(Buffer.from(encodeJsonRequest(spans)).toString());
    done({ code: 0 });
  },
  async shutdown() {},
};

/** The instrumentation alone, content on the spans, as the other instrumentations are measured. */
export function start(options, { masked, otlp }) {
  if (!masked) setRedactor(createRedactor({ secrets: false }));
  const { provider, settle } = providerOf(otlp ? unsentOtlp : nullSpanExporter);
  instrumentOpenAI(OpenAI, { tracerProvider: provider, captureContentOnSpans: true });
  return { client: new OpenAI(options), settle, inRun: inSpan, recorded: arrivals };
}
