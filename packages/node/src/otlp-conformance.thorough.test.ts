import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { context, trace } from "@opentelemetry/api";
import { AlwaysOffSampler, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import {
  createOtlpReceiver,
  createRandom,
  type OtlpAnswer,
  type OtlpReceiver,
} from "@thoughtflow/testkit";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import type { OtlpSpanProcessor } from "./flushed-span-processor.ts";
import type { OtlpConfig, OtlpExporterName } from "./options.ts";
import { createOtlpSpanProcessor } from "./otlp-span-processor.ts";
import { resolveThoughtFlowOptions } from "./resolve-options.ts";
import { recordAll } from "./sampler.ts";

/** What a way of sending can't do, and why. The suite holds it to that: a gap that is closed fails here. */
type Gaps = Readonly<Record<string, string>>;

const ways: Readonly<Record<OtlpExporterName, Gaps>> = {
  official: {
    "a receiver that asks for a pause is left alone for that long":
      "the exporter doesn't hand on what Retry-After said",
    "Retry-After: 0 is no invitation to try without a pause": "the exporter takes 0 for no pause",
    "spans that the receiver leaves out are counted": "the exporter doesn't hand on the answer",
    "an answer without end is given up at the deadline":
      "the exporter's deadline is one of idleness",
    "an answer of 10 MB is not read, and its request not sent again":
      "the exporter takes it for a failure",
    "20,000 spans in a tick arrive, every one": "the queue is bounded by spans and drops",
    "wrong credentials are no reason to lose spans":
      "the exporter's retry policy is the specification's",
  },
  thoughtflow: {},
};

/** These gaps show only on a machine that is quick enough: nothing is said about whoever has them. */
const gapsOfQuickMachines: ReadonlySet<string> = new Set([
  "Retry-After: 0 is no invitation to try without a pause",
  "an answer without end is given up at the deadline",
]);

const names = (count: number) => Array.from({ length: count }, (_, index) => `span ${index}`);

describe.each(Object.keys(ways) as OtlpExporterName[])("the exporter %s", (exporter) => {
  let dir: string;
  let warnings: string[];
  let emitWarning: MockInstance;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "thoughtflow-otlp-"));
    warnings = [];
    emitWarning = vi.spyOn(process, "emitWarning").mockImplementation((message) => {
      warnings.push(String(message));
    });
  });

  afterEach(async () => {
    emitWarning.mockRestore();
    await rm(dir, { recursive: true });
  });

  function conforms(title: string, body: () => Promise<void>): void {
    const gap = ways[exporter][title];
    if (gap === undefined) test(title, body);
    else if (!gapsOfQuickMachines.has(title)) test.fails(`${title} (a gap: ${gap})`, body);
  }

  function open(endpoint: string, environment: Readonly<Record<string, string>> = {}) {
    const config: OtlpConfig | undefined = resolveThoughtFlowOptions(
      { otlp: { endpoint, exporter } },
      { OTEL_EXPORTER_OTLP_TIMEOUT: "20000", ...environment },
    ).otlp;
    if (config === undefined) throw new Error("OTLP is not configured");
    const processor = createOtlpSpanProcessor(config, dir);
    const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer("test");
    const emit = (count: number) => {
      for (let n = 0; n < count; n += 1) tracer.startSpan(`span ${n}`).end();
    };
    /** A span with an attribute that is made when it is read, and can't be. */
    const unreadable = () => {
      const span = tracer.startSpan("unreadable");
      if (!("attributes" in span)) throw new Error("the span has no attributes");
      Object.defineProperty(span.attributes, "late", { enumerable: true, get: noValue });
      span.end();
    };
    return { processor, emit, unreadable };
  }

  const receiverWith = (...answers: readonly OtlpAnswer[]): Promise<OtlpReceiver> =>
    createOtlpReceiver({ answer: (request) => answers[request] ?? {} });
  /** The names of what was delivered: some of it twice where an answer came too late for the exporter. */
  const arrived = ({ spans }: OtlpReceiver) => [
    ...new Map(spans.map((span) => [span.spanId, span.name])).values(),
  ];
  /** However brief its timeout and however slow the machine: after some flushes all is confirmed. */
  const allConfirmed = async (processor: OtlpSpanProcessor): Promise<void> => {
    while ((await processor.flush())?.unsentSpans !== 0);
  };

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

  conforms("spans of an outage arrive after it; the outage is told once", async () => {
    let isAway = true;
    await using receiver = await createOtlpReceiver({ answer: () => (isAway ? "reset" : {}) });
    const { processor, emit } = open(receiver.url.replace("//", "//user:secret@"), {
      OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    });
    emit(2);
    await processor.flush();
    await processor.flush();
    isAway = false;
    await allConfirmed(processor);
    expect(arrived(receiver)).toEqual(names(2));
    expect(warnings).toEqual([
      expect.stringContaining(`Spans can't be sent to ${receiver.url}/v1/traces: `),
    ]);
  });

  const soon = { "retry-after": "Mon, 01 Jan 2001 00:00:00 GMT" };

  conforms("429, 502, 503 and 504 mean later: the request is sent again", async () => {
    const statuses = [429, 502, 503, 504];
    await using receiver = await receiverWith(
      ...statuses.map((status) => ({ status, headers: soon })),
    );
    const { processor, emit } = open(receiver.url);
    emit(2);
    await allConfirmed(processor);
    expect(receiver.requests).toHaveLength(5);
    expect(arrived(receiver)).toEqual(names(2));
  });

  conforms("a receiver that asks for a pause is left alone for that long", async () => {
    const headers = { "retry-after": "30" };
    await using receiver = await receiverWith({ status: 503, headers }, { status: 503, headers });
    const { processor, emit } = open(receiver.url);
    emit(2);
    const reports = [await processor.flush(), await processor.flush()];
    expect(reports.map(({ unsentSpans }) => unsentSpans)).toEqual([2, 2]);
    expect(receiver.requests).toHaveLength(1);
  });

  conforms("Retry-After: 0 is no invitation to try without a pause", async () => {
    const answer = { status: 429, headers: { "retry-after": "0" } };
    await using receiver = await createOtlpReceiver({ answer: () => answer });
    const { processor, emit } = open(receiver.url, { OTEL_EXPORTER_OTLP_TIMEOUT: "250" });
    emit(2);
    await processor.flush();
    expect(receiver.requests.length).toBeLessThanOrEqual(3);
  });

  conforms(
    "what is refused for good is dropped, counted and told once, and costs nothing else",
    async () => {
      await using receiver = await receiverWith({ status: 400 }, { status: 500 });
      const { processor, emit } = open(receiver.url);
      for (let turn = 0; turn < 3; turn += 1) {
        emit(2);
        await processor.flush();
      }
      expect(arrived(receiver)).toEqual(names(2));
      expect(processor.droppedCount()).toBe(4);
      expect(warnings.filter((warning) => warning.includes("are lost"))).not.toEqual([]);
    },
  );

  conforms("wrong credentials are no reason to lose spans", async () => {
    await using receiver = await receiverWith({ status: 401 });
    const { processor, emit } = open(receiver.url);
    emit(2);
    expect(await processor.flush()).toEqual({ unsentSpans: 2, reason: "status 401" });
    expect(processor.droppedCount()).toBe(0);
  });

  conforms("a redirect is not followed: headers hold credentials", async () => {
    await using elsewhere = await createOtlpReceiver();
    const headers = { location: `${elsewhere.url}/v1/traces` };
    await using receiver = await receiverWith({ status: 302, headers });
    const { processor, emit } = open(receiver.url);
    emit(2);
    await processor.flush();
    expect(elsewhere.requests).toEqual([]);
    expect(processor.droppedCount()).toBe(2);
  });

  conforms("a request that is too large is halved until it fits", async () => {
    await using receiver = await createOtlpReceiver({
      answer: (_request, spans) => ({ status: spans.length > 3 ? 413 : 200 }),
    });
    const { processor, emit } = open(receiver.url);
    emit(10);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(arrived(receiver).toSorted()).toEqual(names(10));
    expect(processor.droppedCount()).toBe(0);
  });

  conforms("a span that is too large by itself costs no other one", async () => {
    await using receiver = await createOtlpReceiver({
      answer: (_request, spans) => ({
        status: spans.some(({ name }) => name === "span 4") ? 413 : 200,
      }),
    });
    const { processor, emit } = open(receiver.url);
    emit(9);
    await processor.flush();
    expect(arrived(receiver).toSorted()).toEqual(names(9).filter((name) => name !== "span 4"));
    expect(processor.droppedCount()).toBe(1);
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

  conforms("spans that the receiver leaves out are counted", async () => {
    // ExportTraceServiceResponse { partial_success { rejected_spans: 3, error_message: "no name" } }
    const body = Buffer.from([10, 11, 8, 3, 18, 7, ...Buffer.from("no name")]);
    await using receiver = await receiverWith({ body });
    const { processor, emit } = open(receiver.url);
    emit(10);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(processor.droppedCount()).toBe(3);
    expect(receiver.requests).toHaveLength(1);
  });

  conforms("a connection that breaks is tried again", async () => {
    await using receiver = await receiverWith("reset");
    const { processor, emit } = open(receiver.url);
    emit(2);
    await allConfirmed(processor);
    expect(arrived(receiver)).toEqual(names(2));
  });

  conforms("a receiver that never answers delays a flush no longer than the timeout", async () => {
    await using receiver = await receiverWith("silence");
    const { processor, emit } = open(receiver.url, { OTEL_EXPORTER_OTLP_TIMEOUT: "200" });
    emit(2);
    expect(await processor.flush()).toMatchObject({ unsentSpans: 2 });
    await allConfirmed(processor);
    expect(arrived(receiver)).toEqual(names(2));
  });

  conforms("an answer without end is given up at the deadline", async () => {
    await using receiver = await receiverWith("trickle");
    const { processor, emit } = open(receiver.url, { OTEL_EXPORTER_OTLP_TIMEOUT: "200" });
    emit(2);
    expect(await processor.flush()).toMatchObject({ unsentSpans: 2 });
  });

  conforms("an answer of 10 MB is not read, and its request not sent again", async () => {
    await using receiver = await receiverWith({ body: Buffer.alloc(10 << 20) });
    const { processor, emit } = open(receiver.url);
    emit(2);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(arrived(receiver)).toEqual(names(2));
  });

  conforms("an answer that would fill the memory when it is unpacked is not unpacked", async () => {
    const headers = { "content-encoding": "gzip" };
    await using receiver = await receiverWith({ headers, body: gzipSync(Buffer.alloc(42 << 20)) });
    const { processor, emit } = open(receiver.url);
    emit(2);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(arrived(receiver)).toEqual(names(2));
  });

  conforms("a name that nobody knows, or a certificate that is none, is an outage", async () => {
    await using receiver = await createOtlpReceiver();
    for (const endpoint of [
      "http://collector.invalid:4318",
      receiver.url.replace("http", "https"),
    ]) {
      const { processor, emit } = open(endpoint, { OTEL_EXPORTER_OTLP_TIMEOUT: "500" });
      emit(2);
      expect(await processor.flush()).toMatchObject({ unsentSpans: 2 });
      expect(processor.droppedCount()).toBe(0);
    }
    expect(receiver.requests).toEqual([]);
  });

  conforms("where a third of all connections break, every span arrives", async () => {
    const random = createRandom(5);
    await using receiver = await createOtlpReceiver({
      answer: () => (random() < 0.3 ? "reset" : {}),
      delayMs: 5,
    });
    const { processor, emit } = open(receiver.url);
    emit(2_000);
    await allConfirmed(processor);
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(2_000);
    expect(processor.droppedCount()).toBe(0);
  });

  conforms("20,000 spans in a tick arrive, every one", async () => {
    await using receiver = await createOtlpReceiver();
    const { processor, emit } = open(receiver.url);
    emit(20_000);
    expect(await processor.flush()).toEqual({ unsentSpans: 0 });
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(20_000);
    expect(processor.droppedCount()).toBe(0);
  });

  conforms("one destination in trouble doesn't hold up another", async () => {
    await using dead = await createOtlpReceiver({ answer: () => "silence" });
    await using alive = await createOtlpReceiver();
    const brief = { OTEL_EXPORTER_OTLP_TIMEOUT: "300" };
    const [first, second] = [open(dead.url, brief), open(alive.url)];
    first.emit(2);
    second.emit(2);
    const stuck = first.processor.flush();
    expect(await second.processor.flush()).toEqual({ unsentSpans: 0 });
    expect(arrived(alive)).toEqual(names(2));
    expect(await stuck).toMatchObject({ unsentSpans: 2 });
  });
});

function noValue(): never {
  throw new TypeError("no value");
}
