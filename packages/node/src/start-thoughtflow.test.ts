import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, createContextKey, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startThoughtFlow } from "./start-thoughtflow.ts";

const emit = (name: string) => trace.getTracer("app").startSpan(name).end();

let dir = "";

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "thoughtflow-node-"));
});

afterEach(async () => {
  trace.disable();
  context.disable();
  await rm(dir, { recursive: true });
});

describe("startThoughtFlow", () => {
  test("sends every span that ended before a flush, with context across async calls", async () => {
    await using receiver = await createOtlpReceiver();
    await using flow = startThoughtFlow({ dir, otlp: { endpoint: receiver.url } });
    const key = createContextKey("request");
    const seen = await context.with(context.active().setValue(key, 42), async () => {
      await Promise.resolve();
      return context.active().getValue(key);
    });
    emit("first");
    emit("second");
    await flow.flush();
    expect(seen).toBe(42);
    expect(receiver.spans.map(({ name }) => name)).toEqual(["first", "second"]);
  });

  test("after a shutdown, which frees what was claimed, another start begins anew", async () => {
    await using receiver = await createOtlpReceiver();
    const otlp = { endpoint: receiver.url };
    await startThoughtFlow({ dir, otlp }).shutdown();
    emit("between");
    await using flow = startThoughtFlow({ dir, otlp });
    emit("after");
    await flow.flush();
    expect(receiver.spans.map(({ name }) => name)).toEqual(["after"]);
  });

  test("a second start gives back the first handle and says so", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    await using first = startThoughtFlow({ dir });
    expect(startThoughtFlow({ dir: "elsewhere" })).toBe(first);
    expect(emitWarning.mock.calls).toEqual([
      [
        "ThoughtFlow runs already; these options have no effect.",
        { type: "ThoughtFlowWarning", code: "THOUGHTFLOW_ALREADY_STARTED" },
      ],
    ]);
    emitWarning.mockRestore();
  });

  test("leaves an app's own provider alone, which gets all its spans and sends them itself", async () => {
    await using receiver = await createOtlpReceiver();
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    new NodeTracerProvider({ spanProcessors }).register();
    {
      await using flow = startThoughtFlow({ dir, otlp: { endpoint: receiver.url } });
      emit("first");
      await flow.flush();
    }
    emit("second");
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["first", "second"]);
    expect(receiver.spans).toEqual([]);
  });

  test("invalid options throw, and nothing has been started", () => {
    expect(() => startThoughtFlow({ dir: "" })).toThrow(
      'dir is "", expected a text that is not empty',
    );
    expect(trace.getTracer("app").startSpan("span").isRecording()).toBe(false);
  });

  test("disabled, it leaves no trace", async () => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const before = listeners();
    await using flow = startThoughtFlow({ dir, disabled: true, otlp: true });
    emit("span");
    await flow.flush();
    expect(trace.getTracer("app").startSpan("span").isRecording()).toBe(false);
    expect(listeners()).toEqual(before);
    expect(await readdir(dir)).toEqual([]);
  });
});
