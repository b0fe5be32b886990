import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { startCollector } from "./collector.ts";
import { madeSpan, sendSpans } from "./made-spans.ts";
import { until } from "./polling.ts";
import { type Receiver, receiverPlace } from "./receiver.ts";

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
    const all = Array.from({ length: REQUESTS * SPANS_OF_REQUEST }, (_, n) => n + 1);
    const found = async () => toolSpansIn((await place.documents()).values());
    await until(
      "every span in a file",
      async () => (await found()).length >= all.length || undefined,
    );
    expect(await found()).toEqual(all);
  } finally {
    await rm(queue, { recursive: true, force: true });
  }
}, 240_000);
