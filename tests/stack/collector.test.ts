import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { startCollector, validateCollectorConfig } from "./collector.ts";
import { startJaeger } from "./jaeger.ts";
import { madeSpan, sendSpans } from "./made-spans.ts";
import { getJson, until } from "./polling.ts";
import { receiverPlace } from "./receiver.ts";
import { runApp } from "./run-app.ts";
import { startTempo } from "./tempo.ts";

/** Of a session that a receiver wrote: which spans are steps of it. */
function spansOf(document: string | undefined): readonly string[] {
  const { conversations = [] }: Partial<Session> = JSON.parse(document ?? "{}");
  return conversations.flatMap(({ steps }) => steps.flatMap(({ span_id }) => span_id ?? []));
}

test("every file is valid", async () => {
  const files = await readdir(join(ROOT, "collector-config"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) await validateCollectorConfig(file, { LANGFUSE_BASIC_AUTH: "none" });
});

test("dev.yaml: Jaeger and Tempo have an app's trace, ThoughtFlow writes the app's own bytes", async () => {
  await using jaeger = await startJaeger();
  await using tempo = await startTempo();
  await using place = await receiverPlace();
  await using receiver = await place.start();
  await using collector = await startCollector("dev.yaml", {
    JAEGER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    TEMPO_OTLP_ENDPOINT: tempo.otlpEndpoint,
    THOUGHTFLOW_OTLP_ENDPOINT: receiver.url,
  });
  const app = await runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.otlpEndpoint,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  });
  const run = app.sessions[0]?.conversations[0];
  const traceId = run?.trace_id ?? "";
  const names = ["invoke_agent", ...Array.from({ length: 3 }, () => "chat gpt-4o-mini")];
  expect((await jaeger.trace(traceId, 4)).map(({ name }) => name)).toEqual(names);
  await until("the trace in Tempo", () =>
    getJson(`${tempo.queryEndpoint}/api/v2/traces/${traceId}`),
  );
  const [name = "", text = ""] = [...app.documents][0] ?? [];
  const isWhole = async () => (await place.documents()).get(name) === text || undefined;
  await until("the app's bytes from the receiver", isWhole).catch(() => {});
  expect([...(await place.documents())]).toEqual([[name, text]]);
}, 240_000);

test("tail-sampling.yaml: backends get what is of interest and some more, ThoughtFlow everything", async () => {
  await using jaeger = await startJaeger();
  await using place = await receiverPlace();
  await using receiver = await place.start();
  await using collector = await startCollector("tail-sampling.yaml", {
    COLLECTOR_DECISION_WAIT: "1s",
    JAEGER_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    TEMPO_OTLP_ENDPOINT: jaeger.otlpEndpoint,
    THOUGHTFLOW_OTLP_ENDPOINT: receiver.url,
  });
  const session = "sampled";
  const chats = Array.from({ length: 60 }, (_, n) =>
    madeSpan({ trace: n + 1, span: n + 1, session, operation: "chat" }),
  );
  const status = { code: "error" } as const;
  const failed = madeSpan({ trace: 101, span: 101, session, operation: "chat", status });
  const tool = madeSpan({ trace: 102, span: 102, session, operation: "execute_tool" });
  const sent = [...chats, failed, tool];
  await sendSpans(collector.otlpEndpoint, sent);

  await jaeger.trace(failed.traceId, 1);
  await jaeger.trace(tool.traceId, 1);
  const found = await Promise.all(
    chats.map(({ traceId }) => getJson(`${jaeger.queryEndpoint}/api/v3/traces/${traceId}`)),
  );
  const kept = found.filter((trace) => trace !== undefined);
  expect(kept.length).toBeLessThan(30);

  const all = sent.map(({ spanId }) => spanId).sort();
  const documentSpans = async () => {
    const spans = new Set(spansOf((await place.documents()).get("sampled.json")));
    return spans.size >= all.length ? [...spans].sort() : undefined;
  };
  expect(await until("every span in the file", documentSpans)).toEqual(all);
}, 180_000);

test("gateway.yaml: keys that other instrumentations let through are masked before the receiver", async () => {
  await using place = await receiverPlace();
  await using receiver = await place.start();
  const queue = await mkdtemp(join(tmpdir(), "thoughtflow-queue-"));
  try {
    await using collector = await startCollector("gateway.yaml", {
      COLLECTOR_QUEUE_DIR: queue,
      THOUGHTFLOW_OTLP_ENDPOINT: receiver.url,
    });
    const key = `sk-proj-${"a1B2".repeat(8)}`;
    const said = [
      { role: "user", parts: [{ type: "text", content: `My key is ${key}, mind it.` }] },
    ];
    const content = { "gen_ai.input.messages": JSON.stringify(said) };
    await sendSpans(collector.otlpEndpoint, [
      madeSpan({ trace: 1, span: 1, session: "masked", operation: "chat", content }),
    ]);
    const text = await until("the session", async () =>
      (await place.documents()).get("masked.json"),
    );
    expect(text).toContain("My key is ****, mind it.");
    expect(text).not.toContain(key);
  } finally {
    await rm(queue, { recursive: true, force: true });
  }
}, 120_000);
