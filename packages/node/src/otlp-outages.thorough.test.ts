import { gzipSync } from "node:zlib";
import {
  createOtlpReceiver,
  createRandom,
  type OtlpAnswer,
  type OtlpReceiver,
} from "@thoughtflow/testkit";
import { expect } from "vitest";
import { arrived, describeExporters, names } from "./fixtures/describe-exporters.ts";
import type { OtlpSpanProcessor } from "./flushed-span-processor.ts";

const receiverWith = (...answers: readonly OtlpAnswer[]): Promise<OtlpReceiver> =>
  createOtlpReceiver({ answer: (request) => answers[request] ?? {} });

/** However brief its timeout and however slow the machine: after some flushes all is confirmed. */
const allConfirmed = async (processor: OtlpSpanProcessor): Promise<void> => {
  while ((await processor.flush())?.unsentSpans !== 0);
};

/** A pause that is over. */
const soon = { "retry-after": "Mon, 01 Jan 2001 00:00:00 GMT" };

describeExporters(({ conforms, open, warnings }) => {
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
    expect(warnings()).toEqual([
      expect.stringContaining(`Spans can't be sent to ${receiver.url}/v1/traces: `),
    ]);
  });

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
      expect(warnings().filter((warning) => warning.includes("are lost"))).not.toEqual([]);
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
