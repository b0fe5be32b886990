import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import type { ModelCallContent } from "@thoughtflow/tracing/internal";
import {
  attachContent,
  exposeContent,
  inputMessagesOf,
  MOST_HELD_BYTES,
  MOST_KEPT_BYTES,
  noteHeld,
} from "@thoughtflow/tracing/internal";
import { expect, test, vi } from "vitest";
import type { OtlpExporterOptions } from "./options.ts";
import { createOtlpSpanProcessor } from "./otlp-span-processor.ts";

/** As long as no timer of a test comes by itself. */
const NEVER = 3_600_000;

/** A call with one message of so many characters. */
function callOf(characters: number): ModelCallContent {
  const message = {
    role: "user",
    parts: [{ type: "text", content: "some words ".repeat(characters / 11) }],
  };
  return {
    dialect: {
      inputItems: () => [message],
      messageOf: () => message,
      systemInstructions: () => [],
      toolDefinitions: () => [],
    } as unknown as ModelCallContent["dialect"],
    request: {},
  };
}

function open(url: string, options: Partial<OtlpExporterOptions> = {}) {
  const processor = createOtlpSpanProcessor({
    url: `${url}/v1/traces`,
    scheduleDelayMillis: NEVER,
    ...options,
  });
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer("test");
  /** A call whose text is made while it waits for its answer, as the instrumentation has it. */
  const emit = (characters: number) => {
    const span = tracer.startSpan("chat");
    const [message] = inputMessagesOf(callOf(characters));
    span.setAttribute("gen_ai.input.messages", `[${message?.json}]`);
    span.end();
  };
  /** A call whose text nobody has made when its span ends. */
  const emitUnread = (characters: number) => {
    const span = tracer.startSpan("chat");
    const content = callOf(characters);
    attachContent(span, content);
    exposeContent(span);
    span.end();
    noteHeld(content, () => {});
  };
  return { processor, emit, emitUnread };
}

/** A text counts two bytes a character. */
const QUARTER = MOST_KEPT_BYTES / 2 / 4;

test("calls wait together while their texts are few, and go at once when these are half of what may be kept", async () => {
  await using receiver = await createOtlpReceiver();
  const { processor, emit } = open(receiver.url, { maxQueueBytes: MOST_KEPT_BYTES });
  emit(10);
  emit(QUARTER + 100);
  await new Promise((resolve) => setImmediate(resolve));
  expect(receiver.requests).toEqual([]);
  emit(QUARTER + 100);
  await vi.waitFor(() => expect(receiver.spans).toHaveLength(3), { timeout: 30_000 });
  await processor.shutdown();
});

test("what a receiver doesn't take then waits on disk, and nothing is lost", async () => {
  const dir = mkdtempSync(join(tmpdir(), "large-texts-"));
  try {
    const { processor, emit } = open("http://127.0.0.1:9", {
      spoolDir: dir,
      maxQueueBytes: MOST_KEPT_BYTES / 4,
    });
    for (let call = 0; call < 4; call++) emit(QUARTER + 100);
    const files = () =>
      readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => /\.otlp/.test(name));
    await vi.waitFor(() => expect(files().length).toBeGreaterThan(0), { timeout: 30_000 });
    const { unsentSpans, spooledSpans } = processor.drainSync();
    expect(unsentSpans).toBe(spooledSpans);
    expect(processor.counts().lost).toEqual({});
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("and go when what they hold would be let go, whole", async () => {
  await using receiver = await createOtlpReceiver();
  const { processor, emitUnread } = open(receiver.url, { maxQueueBytes: MOST_KEPT_BYTES });
  const calls = 12;
  const characters = Math.ceil(MOST_HELD_BYTES / 2 / (calls - 1));
  for (let call = 0; call < calls; call += 1) emitUnread(characters);
  await vi.waitFor(() => expect(receiver.spans).toHaveLength(calls), { timeout: 30_000 });
  await processor.shutdown();
  const bytes = receiver.requests.map(({ headers }) => Number(headers["content-length"]));
  expect(bytes.reduce((sum, one) => sum + one)).toBeGreaterThan(0.99 * calls * characters);
});
