import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { type Collector, startCollector } from "./collector.ts";
import { madeSpan, sendSpans } from "./made-spans.ts";
import { until } from "./polling.ts";
import { type Receiver, type ReceiverPlace, receiverPlace } from "./receiver.ts";

const SESSIONS = 5;
const REQUESTS = 200;
const SPANS_OF_REQUEST = 20;
const KILLS = 5;

function requestOf(n: number) {
  return Array.from({ length: SPANS_OF_REQUEST }, (_, at) => {
    const span = n * SPANS_OF_REQUEST + at + 1;
    const session = `s${span % SESSIONS}`;
    const content = { "gen_ai.tool.call.result": JSON.stringify(`result ${span} `.repeat(500)) };
    return madeSpan({
      trace: 1 + (span % SESSIONS),
      span,
      session,
      operation: "execute_tool",
      content,
    });
  });
}

/** The receiver's count since it was started. */
async function taken({ url }: Receiver): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^thoughtflow_receiver_spans_total (\d+)$/m.exec(text)?.[1]);
}

/** One entry for each step that a span stands behind: a span in two files, or twice in one, has two. */
function toolSpansIn(documents: Iterable<string>): readonly number[] {
  return Array.from(documents, (text): Session => JSON.parse(text))
    .flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
    .flatMap(({ label, span_id }) =>
      label === "tool_call" && span_id !== undefined ? [Number.parseInt(span_id, 16)] : [],
    )
    .sort((a, b) => a - b);
}

/** Waits until every span that was sent is in a file, and makes sure that each is in one, once. */
async function expectAllOnce(place: ReceiverPlace): Promise<void> {
  const all = Array.from({ length: REQUESTS * SPANS_OF_REQUEST }, (_, n) => n + 1);
  const found = async () => toolSpansIn((await place.documents()).values());
  await until(
    "every span in a file",
    async () => (await found()).length >= all.length || undefined,
  );
  expect(await found()).toEqual(all);
}

test("gateway.yaml: nothing is lost and nothing is in the files twice when the receiver is killed under load", async () => {
  await using place = await receiverPlace();
  const queue = await mkdtemp(join(tmpdir(), "thoughtflow-queue-"));
  try {
    await using collector = await startCollector("gateway.yaml", {
      COLLECTOR_QUEUE_DIR: queue,
      THOUGHTFLOW_OTLP_ENDPOINT: place.url,
    });
    let sent = 0;
    let mayGoOn = 0;
    async function sendAll(): Promise<void> {
      for (; sent < REQUESTS; sent += 1) {
        await until("leave to send on", async () => sent < mayGoOn || undefined);
        await sendSpans(collector.otlpEndpoint, requestOf(sent));
      }
    }
    const sending = sendAll();

    // Each is killed once it has taken something, with more on its way to it; the next one stands in its place.
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const receiver = await place.start();
      mayGoOn = (kill * REQUESTS) / (KILLS + 1);
      await until("spans taken", async () => (await taken(receiver)) > 0 || undefined);
      await receiver[Symbol.asyncDispose]();
      expect(sent).toBeLessThan(REQUESTS);
    }
    mayGoOn = REQUESTS;
    await sending;

    await using _last = await place.start();
    await expectAllOnce(place);
  } finally {
    await rm(queue, { recursive: true, force: true });
  }
}, 240_000);

test("gateway.yaml: what it took is in the files when the Collector itself is killed, with the receiver away and there", async () => {
  await using place = await receiverPlace();
  const queue = await mkdtemp(join(tmpdir(), "thoughtflow-queue-"));
  const variables = { COLLECTOR_QUEUE_DIR: queue, THOUGHTFLOW_OTLP_ENDPOINT: place.url };
  try {
    let sent = 0;
    /** As an exporter does: what was not acknowledged is sent again, to the Collector that is there then. */
    async function sendUpTo(most: number, { otlpEndpoint }: Collector): Promise<void> {
      for (; sent < most; sent += 1) await sendSpans(otlpEndpoint, requestOf(sent));
    }
    /** It goes while requests come, one behind the other. */
    async function sendUntilKilled(collector: Collector, killAt: number): Promise<void> {
      await sendUpTo(killAt, collector);
      const isCutOff = sendUpTo(REQUESTS, collector).then(
        () => false,
        () => true,
      );
      await collector[Symbol.asyncDispose]();
      expect(await isCutOff).toBe(true);
    }

    await sendUntilKilled(await startCollector("gateway.yaml", variables), REQUESTS / 4);
    await sendUntilKilled(await startCollector("gateway.yaml", variables), REQUESTS / 2);
    await using receiver = await place.start();
    const third = await startCollector("gateway.yaml", variables);
    await until("spans from the queue", async () => (await taken(receiver)) > 0 || undefined);
    await sendUntilKilled(third, (REQUESTS * 3) / 4);

    await using last = await startCollector("gateway.yaml", variables);
    await sendUpTo(REQUESTS, last);
    await expectAllOnce(place);
  } finally {
    await rm(queue, { recursive: true, force: true });
  }
}, 240_000);
