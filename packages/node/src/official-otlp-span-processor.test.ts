import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { describe, expect, test, vi } from "vitest";
import {
  createOfficialOtlpSpanProcessor,
  type OfficialOtlpParts,
} from "./official-otlp-span-processor.ts";
import type { OtlpConfig, ThoughtFlowOptions } from "./options.ts";
import { resolveThoughtFlowOptions } from "./resolve-options.ts";

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
