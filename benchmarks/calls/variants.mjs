import { setTimeout as wait } from "node:timers/promises";

/** Long enough for the records to be in the journal, too short for documents to be written. */
const untilInJournal = () => wait(150);

/** Takes every batch of spans, and lets it go. */
const nullExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: async () => {},
};

/** Makes the bytes that would be sent, and lets them go. */
async function unsentOtlp() {
  const { ProtobufTraceSerializer } = await import("@opentelemetry/otlp-transformer");
  return {
    export(spans, done) {
      ProtobufTraceSerializer.serializeRequest(spans);
      done({ code: 0 });
    },
    shutdown: async () => {},
  };
}

/** Opens a span of the app around some work. */
async function inSpan(work) {
  const { trace } = await import("@opentelemetry/api");
  return trace.getTracer("app").startActiveSpan("run", async (span) => {
    await work();
    span.end();
  });
}

async function providerOf(...spanProcessors) {
  const { NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const provider = new NodeTracerProvider({ spanProcessors });
  provider.register();
  return provider;
}

/**
 * Ways to call openai. Each sets up its process and gives the client to call; `settle`, after which the calls
 * are recorded; `write`, which does what is left to do then; `within`, which opens a span of the app around some work.
 */
export const variants = {
  async bare({ OpenAI, options }) {
    const done = async () => {};
    return { client: new OpenAI(options), settle: done, write: done, within: (work) => work() };
  },

  /** All that `register` sets up: files with content, derived runs, inferred sessions, secrets masked. */
  async ThoughtFlow({ OpenAI, options, dir }) {
    const { startThoughtFlow } = await import("@thoughtflow/node");
    const flow = startThoughtFlow({ dir, openai: OpenAI, otlp: false });
    return {
      client: new OpenAI(options),
      settle: untilInJournal,
      write: flow.flush,
      within: inSpan,
    };
  },

  /** The same, with content on the spans and every span made into the bytes of OTLP. */
  async "ThoughtFlow + OTLP"({ OpenAI, options, dir }) {
    const { BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-node");
    const { ThoughtFlowSpanProcessor } = await import("@thoughtflow/processor");
    const { instrumentOpenAI } = await import("@thoughtflow/instrumentation-openai");
    const files = new ThoughtFlowSpanProcessor({ dir });
    const batches = new BatchSpanProcessor(await unsentOtlp());
    const tracerProvider = await providerOf(files, batches);
    instrumentOpenAI(OpenAI, { tracerProvider, captureContentOnSpans: true });
    return {
      client: new OpenAI(options),
      async settle() {
        await untilInJournal();
        await batches.forceFlush();
      },
      write: () => files.forceFlush(),
      within: inSpan,
    };
  },

  async OpenInference({ OpenAI, options }) {
    const { BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-node");
    const { OpenAIInstrumentation } = await import("@arizeai/openinference-instrumentation-openai");
    const provider = await providerOf(new BatchSpanProcessor(nullExporter));
    new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
    return {
      client: new OpenAI(options),
      settle: () => provider.forceFlush(),
      write: async () => {},
      within: inSpan,
    };
  },

  async Langfuse({ OpenAI, options }) {
    const { BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-node");
    const { observeOpenAI } = await import("@langfuse/openai");
    const provider = await providerOf(new BatchSpanProcessor(nullExporter));
    return {
      client: observeOpenAI(new OpenAI(options)),
      settle: () => provider.forceFlush(),
      write: async () => {},
      within: inSpan,
    };
  },
};
