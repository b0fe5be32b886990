import { expect, test } from "vitest";
import { startCollector } from "./collector.ts";
import { startOtlpSink } from "./otlp-sink.ts";
import { startPhoenix } from "./phoenix.ts";
import { getJson, until } from "./polling.ts";
import { receiverPlace } from "./receiver.ts";
import { type FinishedApp, runApp } from "./run-app.ts";

interface PhoenixSession {
  readonly session_id: string;
  readonly traces: readonly { readonly trace_id: string }[];
  readonly token_count_prompt: number;
  readonly token_count_completion: number;
}

const SESSION = "two-turns";

function turn(otlpEndpoint: string): Promise<FinishedApp> {
  return runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    THOUGHTFLOW_SESSION_ID: SESSION,
  });
}

test("phoenix-langfuse.yaml: Phoenix shows the session's turns and tokens, Langfuse and ThoughtFlow get the same spans", async () => {
  await using phoenix = await startPhoenix();
  await using langfuse = await startOtlpSink();
  await using place = await receiverPlace();
  await using receiver = await place.start();
  await using collector = await startCollector("phoenix-langfuse.yaml", {
    PHOENIX_OTLP_ENDPOINT: phoenix.url,
    LANGFUSE_OTLP_ENDPOINT: `${langfuse.url}/api/public/otel`,
    LANGFUSE_BASIC_AUTH: "cGs6c2s=",
    THOUGHTFLOW_OTLP_ENDPOINT: receiver.url,
  });
  const apps = [await turn(collector.otlpEndpoint), await turn(collector.otlpEndpoint)];
  const runs = apps.map(({ sessions }) => sessions[0]?.conversations[0]);
  const totals = apps.map(({ sessions }) => sessions[0]?.totals);
  const tokens = (key: "input_tokens" | "output_tokens") =>
    totals.reduce((sum, one) => sum + (one?.[key] ?? 0), 0);
  expect(tokens("input_tokens")).toBe(2 * 356);

  const session = await until("both turns and their tokens in Phoenix", async () => {
    const found = await getJson(`${phoenix.url}/v1/projects/default/sessions`);
    const [first] = (found?.["data"] ?? []) as readonly PhoenixSession[];
    const isWhole =
      first?.traces.length === 2 && first.token_count_prompt >= tokens("input_tokens");
    return isWhole ? first : undefined;
  });
  expect(session).toMatchObject({
    session_id: SESSION,
    token_count_prompt: tokens("input_tokens"),
    token_count_completion: tokens("output_tokens"),
  });
  expect(session.traces.map(({ trace_id }) => trace_id).sort()).toEqual(
    runs.map((run) => run?.trace_id).sort(),
  );

  const names = ["invoke_agent", ...Array.from({ length: 3 }, () => "chat gpt-4o-mini")];
  const sunk = await until("every span at Langfuse's place", async () => {
    const spans = langfuse.requests.flatMap((request) => request.spans);
    return spans.length >= 2 * names.length ? spans : undefined;
  });
  expect(sunk.map(({ name }) => name).sort()).toEqual([...names, ...names].sort());
  for (const request of langfuse.requests)
    expect(request).toMatchObject({
      path: "/api/public/otel/v1/traces",
      contentType: "application/x-protobuf",
      authorization: "Basic cGs6c2s=",
    });

  const text = await until("both runs in the file", async () => {
    const document = (await place.documents()).get(`${SESSION}.json`);
    return document !== undefined && JSON.parse(document).totals.model_calls === 6
      ? document
      : undefined;
  });
  expect(JSON.parse(text).totals).toMatchObject({ runs: 2, input_tokens: 2 * 356 });
}, 480_000);
