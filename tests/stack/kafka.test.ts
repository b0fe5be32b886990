import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCollector } from "./collector.ts";
import { startKafka } from "./kafka.ts";
import { until } from "./polling.ts";
import { receiverPlace } from "./receiver.ts";
import { runApp } from "./run-app.ts";

test("kafka-out.yaml, kafka-in.yaml: through a broker, ThoughtFlow writes the app's own bytes", async () => {
  await using kafka = await startKafka();
  const variables = { KAFKA_BROKERS: kafka.brokers };
  await using place = await receiverPlace();
  const queue = await mkdtemp(join(tmpdir(), "thoughtflow-queue-"));
  onTestFinished(() => rm(queue, { recursive: true, force: true }));
  await using out = await startCollector("kafka-out.yaml", {
    ...variables,
    COLLECTOR_QUEUE_DIR: queue,
  });
  const app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: out.otlpEndpoint,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  // Nobody reads the topic yet: it waits there.
  await using receiver = await place.start();
  await using _ = await startCollector("kafka-in.yaml", {
    ...variables,
    THOUGHTFLOW_OTLP_ENDPOINT: receiver.url,
  });
  const [name = "", text = ""] = [...app.documents][0] ?? [];
  const isWhole = async () => (await place.documents()).get(name) === text || undefined;
  await until("the app's bytes from the receiver", isWhole).catch(() => {});
  expect([...(await place.documents())]).toEqual([[name, text]]);
}, 240_000);
