import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { context, trace } from "@opentelemetry/api";
import { AlwaysOffSampler, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import { expect, vi } from "vitest";
import { arrived, describeExporters, names } from "./fixtures/describe-exporters.ts";
import { recordAll } from "./sampler.ts";

describeExporters(({ conforms, open }) => {
  conforms("a flush resolves when the receiver has confirmed every ended span", async () => {
    await using receiver = await createOtlpReceiver({ delayMs: 20 });
    const { processor, emit } = open(receiver.url);
    emit(600);
    await new Promise((resolve) => setTimeout(resolve, 5)); // the first request is under way now
    emit(5);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(arrived(receiver).toSorted()).toEqual([...names(600), ...names(5)].toSorted());
  });

  conforms("a flush says what the receiver has not confirmed, and doesn't reject", async () => {
    const { processor, emit } = open("http://127.0.0.1:9", { OTEL_EXPORTER_OTLP_TIMEOUT: "300" });
    emit(3);
    const report = await processor.flush();
    expect(report).toMatchObject({
      unsentSpans: 3,
      reason: expect.stringContaining("ECONNREFUSED"),
    });
    await processor.forceFlush();
    await processor.shutdown();
  });

  conforms("ended spans are sent without being asked to", async () => {
    await using receiver = await createOtlpReceiver();
    open(receiver.url, { OTEL_BSP_SCHEDULE_DELAY: "10" }).emit(3);
    await vi.waitFor(() => expect(receiver.spans).toHaveLength(3), { timeout: 60_000 });
  });

  conforms("there is never more than one request at a time", async () => {
    let isOpen = false;
    await using receiver = await createOtlpReceiver({
      answer() {
        expect(isOpen).toBe(false);
        isOpen = true;
        setTimeout(() => {
          isOpen = false;
        }, 8);
        return {};
      },
      delayMs: 10,
    });
    const { processor, emit } = open(receiver.url);
    emit(2_000);
    await Promise.all([processor.flush(), processor.flush()]);
    expect(receiver.requests.length).toBeGreaterThan(3);
    expect(receiver.spans).toHaveLength(2_000);
  });

  conforms("spans that are recorded only for the files are not sent", async () => {
    await using receiver = await createOtlpReceiver();
    const { processor } = open(receiver.url);
    const sampler = recordAll(new AlwaysOffSampler());
    const provider = new NodeTracerProvider({ sampler, spanProcessors: [processor] });
    const span = provider.getTracer("test").startSpan("unsampled");
    expect(span.isRecording()).toBe(true);
    span.end();
    await processor.flush();
    expect(receiver.requests).toEqual([]);
  });

  conforms("its own requests are made with tracing suppressed", async () => {
    await using receiver = await createOtlpReceiver();
    const recorded: boolean[] = [];
    const provider = new NodeTracerProvider();
    provider.register();
    // Where an instrumentation of http would start a span.
    const onRequest = () => recorded.push(trace.getTracer("test").startSpan("http").isRecording());
    subscribe("http.client.request.start", onRequest);
    try {
      const { processor, emit } = open(receiver.url);
      emit(1);
      await processor.flush();
      expect(recorded).toEqual([false]);
    } finally {
      unsubscribe("http.client.request.start", onRequest);
      trace.disable();
      context.disable();
    }
  });

  conforms("headers, JSON and gzip are as they were asked for", async () => {
    await using receiver = await createOtlpReceiver();
    const environment = {
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer t",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    };
    // The official exporter reads this one by itself.
    vi.stubEnv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
    const { processor, emit } = open(receiver.url, environment);
    emit(2);
    await processor.flush();
    vi.unstubAllEnvs();
    expect(arrived(receiver)).toEqual(names(2));
    expect(receiver.requests[0]).toMatchObject({
      path: "/v1/traces",
      headers: {
        authorization: "Bearer t",
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
    });
  });

  conforms("a span that can't be read costs no other one", async () => {
    await using receiver = await createOtlpReceiver();
    const { processor, emit, unreadable } = open(receiver.url);
    emit(3);
    unreadable();
    emit(3);
    await processor.flush();
    expect(arrived(receiver).toSorted()).toEqual([...names(3), ...names(3)].toSorted());
    expect(processor.droppedCount()).toBe(1);
  });

  conforms("20,000 spans in a tick arrive, every one", async () => {
    await using receiver = await createOtlpReceiver();
    const { processor, emit } = open(receiver.url);
    emit(20_000);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(20_000);
    expect(processor.droppedCount()).toBe(0);
  });
});
