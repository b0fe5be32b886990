import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { context, trace } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  NodeTracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import { describe, expect, test, vi } from "vitest";
import {
  createOfficialOtlpSpanProcessor,
  type OfficialOtlpParts,
} from "./official-otlp-span-processor.ts";
import type { OtlpConfig, ThoughtFlowOptions } from "./options.ts";
import { resolveThoughtFlowOptions } from "./resolve-options.ts";
import { recordAll } from "./sampler.ts";

function configFor(otlp: ThoughtFlowOptions["otlp"], environment = {}): OtlpConfig {
  const config = resolveThoughtFlowOptions({ ...(otlp && { otlp }) }, environment).otlp;
  if (config === undefined) throw new Error("OTLP is not configured");
  return config;
}

function setUp(config: OtlpConfig, parts: OfficialOtlpParts = {}) {
  const processor = createOfficialOtlpSpanProcessor(config, parts);
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer("test");
  const emit = (count: number) => {
    for (let index = 0; index < count; index += 1) tracer.startSpan(`span ${index}`).end();
  };
  return { processor, emit };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `span ${index}`);

describe("delivery", () => {
  test.each(["http/protobuf", "http/json"] as const)(
    "a flush resolves when every ended span has been accepted, over %s",
    async (protocol) => {
      await using receiver = await createOtlpReceiver({ delayMs: 20 });
      const headers = { authorization: "Bearer t" };
      const { processor, emit } = setUp(configFor({ endpoint: receiver.url, protocol, headers }));
      emit(600);
      await new Promise((resolve) => setTimeout(resolve, 5)); // the first batch is under way now
      emit(5);
      await processor.forceFlush();
      expect(receiver.spans.map(({ name }) => name)).toEqual([...names(600), ...names(5)]);
      expect(receiver.requests.map(({ path }) => path)).toEqual(["/v1/traces", "/v1/traces"]);
      expect(receiver.requests[0]?.headers).toMatchObject({
        authorization: "Bearer t",
        "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
      });
    },
  );

  test("ended spans are sent without being asked to", async () => {
    await using receiver = await createOtlpReceiver();
    const { emit } = setUp(
      configFor({ endpoint: receiver.url }, { OTEL_BSP_SCHEDULE_DELAY: "10" }),
    );
    emit(3);
    await vi.waitFor(() => expect(receiver.spans).toHaveLength(3), { timeout: 3_000 });
  });

  test("there is never more than one request at a time", async () => {
    let open = 0;
    let most = 0;
    const exporter: SpanExporter = {
      export(_spans, done) {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open -= 1;
          done({ code: 0 });
        }, 1);
      },
      async shutdown() {},
    };
    const { processor, emit } = setUp(configFor(true), { createExporter: async () => exporter });
    emit(5_000);
    await Promise.all([processor.forceFlush(), processor.forceFlush()]);
    expect(most).toBe(1);
  });

  test("spans that are recorded only for the files are not sent", async () => {
    await using receiver = await createOtlpReceiver();
    const processor = createOfficialOtlpSpanProcessor(configFor({ endpoint: receiver.url }));
    const sampler = recordAll(new AlwaysOffSampler());
    const provider = new NodeTracerProvider({ sampler, spanProcessors: [processor] });
    const span = provider.getTracer("test").startSpan("unsampled");
    expect(span.isRecording()).toBe(true);
    span.end();
    await processor.forceFlush();
    expect(receiver.requests).toEqual([]);
  });

  test("the exporter's own requests are made with tracing suppressed", async () => {
    await using receiver = await createOtlpReceiver();
    const recorded: boolean[] = [];
    const provider = new NodeTracerProvider();
    provider.register();
    // Where an instrumentation of http would start a span.
    const onRequest = () => recorded.push(trace.getTracer("test").startSpan("http").isRecording());
    subscribe("http.client.request.start", onRequest);
    try {
      const { processor, emit } = setUp(configFor({ endpoint: receiver.url }));
      emit(1);
      await processor.forceFlush();
      expect(recorded).toEqual([false]);
    } finally {
      unsubscribe("http.client.request.start", onRequest);
      trace.disable();
      context.disable();
    }
  });
});

describe("a receiver in trouble", () => {
  test("a request that is too large is halved until it fits", async () => {
    const sizes: number[] = [];
    const { processor, emit } = setUp(configFor(true), {
      createExporter: async () => ({
        export(spans, done) {
          sizes.push(spans.length);
          const error = Object.assign(new Error("Payload Too Large"), { code: 413 });
          done(spans.length > 3 ? { code: 1, error } : { code: 0 });
        },
        async shutdown() {},
      }),
    });
    emit(10);
    await processor.forceFlush();
    expect(sizes).toEqual([10, 5, 3, 6, 3, 4, 2, 2]);
    expect(processor.droppedCount()).toBe(0);
  });

  test("one span that can't be put into bytes costs no other one", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const sent: string[] = [];
    const { processor, emit } = setUp(configFor(true), {
      createExporter: async () => ({
        export(spans, done) {
          if (spans.some(({ name }) => name === "span 4")) throw new Error("no bytes");
          sent.push(...spans.map(({ name }) => name));
          done({ code: 0 });
        },
        async shutdown() {},
      }),
    });
    emit(9);
    await processor.forceFlush();
    expect(sent).toEqual(names(9).filter((name) => name !== "span 4"));
    expect(processor.droppedCount()).toBe(1);
    emitWarning.mockRestore();
  });

  test("spans of an outage are kept and arrive after it; the outage is told once", async () => {
    const warnings: string[] = [];
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation((message) => {
      warnings.push(String(message));
    });
    let isAway = true;
    const arrived: string[] = [];
    const { processor, emit } = setUp(configFor({ endpoint: "http://user:secret@host:1" }), {
      createExporter: async () => ({
        export(spans, done) {
          if (isAway) return done({ code: 1, error: new Error("connect ECONNREFUSED") });
          arrived.push(...spans.map(({ name }) => name));
          done({ code: 0 });
        },
        async shutdown() {},
      }),
    });
    emit(2);
    await processor.forceFlush();
    await processor.forceFlush();
    isAway = false;
    await processor.forceFlush();
    emitWarning.mockRestore();
    expect(arrived).toEqual(names(2));
    expect(warnings).toEqual([
      "Spans can't be sent to http://host:1/v1/traces: connect ECONNREFUSED",
    ]);
  });

  test("the queue is bounded; what doesn't fit is counted", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { processor, emit } = setUp(configFor(true, { OTEL_BSP_MAX_QUEUE_SIZE: "4" }), {
      createExporter: async () => ({
        export: (_spans, done) => done({ code: 1, error: new Error("away") }),
        async shutdown() {},
      }),
    });
    emit(6);
    await processor.forceFlush();
    emit(1);
    expect(processor.droppedCount()).toBe(3);
    expect(emitWarning).toHaveBeenCalledTimes(2);
    emitWarning.mockRestore();
  });
});

describe("the end of the process", () => {
  test("what waits or is under way is handed to the sender that needs no event loop", () => {
    const sent: number[] = [];
    const { processor, emit } = setUp(configFor(true, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "400" }), {
      createExporter: () => new Promise(() => {}),
      sendAtExit: (_config, bodies) => {
        sent.push(...bodies.map(({ length }) => length));
        return bodies.map(() => true);
      },
    });
    emit(400);
    void processor.forceFlush(); // takes the first batch, which never gets an answer
    emit(300);
    processor.drainSync();
    expect(sent).toHaveLength(2);
    expect(processor.droppedCount()).toBe(0);
  });

  test("is not delayed by a receiver that was away before", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const sendAtExit = vi.fn(() => [true]);
    const { processor, emit } = setUp(configFor(true), {
      createExporter: () => Promise.reject(new Error("away")),
      sendAtExit,
    });
    emit(1);
    await processor.forceFlush();
    processor.drainSync();
    expect(sendAtExit).not.toHaveBeenCalled();
    emitWarning.mockRestore();
  });
});
