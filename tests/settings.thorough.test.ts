import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson } from "@thoughtflow/schema";
import { appendRecords, deriveSessions, documentOf, openStore } from "@thoughtflow/store";
import { loadExchanges } from "@thoughtflow/testkit";
import { expect, onTestFinished, test } from "vitest";
import { replayRecordings } from "./recordings/replay-recordings.ts";

const recordings = [
  "openllmetry-py-core/chat-tools-parallel",
  "pydantic-ai-openai/responses-stream-tool-loop",
].map((name) => ({ name, exchanges: loadExchanges(name) }));

test("THOUGHTFLOW_SESSION_ID names the session of what nothing else places", async () => {
  const { sessions } = await replayRecordings(recordings, { THOUGHTFLOW_SESSION_ID: "mine" });
  expect(sessions.map((session) => session.session_id)).toEqual(["mine"]);
  expect(sessions[0]?.totals?.model_calls).toBe(recordings.flatMap((one) => one.exchanges).length);
});

test("THOUGHTFLOW_CAPTURE_CONTENT=false keeps the steps and their edges, and no word", async () => {
  const { sessions, files } = await replayRecordings(recordings, {
    THOUGHTFLOW_CAPTURE_CONTENT: "false",
  });
  const steps = sessions.flatMap((session) => session.conversations.flatMap((run) => run.steps));
  const labels = new Set(steps.map((step) => step.label));
  expect([...labels].toSorted()).toEqual([
    "assistant_call",
    "assistant_message",
    "tool_call",
    "tool_output",
    "user_message",
  ]);
  expect(
    steps
      .filter((step) => step.label === "tool_output")
      .every((step) => step.depends_on !== undefined),
  ).toBe(true);
  const said = recordings.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request }) =>
      [...JSON.stringify(request.body).matchAll(/"(?:content|text)":"([^"]{12,})"/g)].map(
        ([, text]) => text,
      ),
    ),
  );
  expect(said.length).toBeGreaterThan(2);
  for (const text of said) for (const file of files) expect(file).not.toContain(text);
});

test("THOUGHTFLOW_DERIVED_RUNS=false leaves each call its own trace", async () => {
  const { sessions } = await replayRecordings(recordings, { THOUGHTFLOW_DERIVED_RUNS: "false" });
  const runs = sessions.flatMap((session) => session.conversations);
  expect(runs.every((run) => run.origin === "recorded" && run.totals?.model_calls === 1)).toBe(
    true,
  );
});

test("THOUGHTFLOW_PRICES names a file whose prices come first", async () => {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-prices-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const path = join(dir, "prices.json");
  const model = {
    id: "any",
    match: { contains: "gpt" },
    prices: { input_mtok: 1000, output_mtok: 0 },
  };
  const openai = { id: "openai", name: "OpenAI", api_pattern: "", models: [model] };
  await writeFile(path, JSON.stringify({ version: "ours 1", providers: [openai] }));
  const settings = { THOUGHTFLOW_PRICES: path, THOUGHTFLOW_SESSION_ID: "mine" };
  const { sessions } = await replayRecordings(recordings, settings);
  const [totals] = sessions.map((session) => session.totals);
  expect(totals?.cost?.total).toBe(String((totals?.input_tokens ?? 0) / 1000));
});

test("THOUGHTFLOW_CAPTURE_RAW gives a store each call as it was sent and answered", async () => {
  const { records, sessions } = await replayRecordings(recordings, {
    THOUGHTFLOW_CAPTURE_RAW: "true",
  });
  const store = await openStore(":memory:");
  await appendRecords(store, records);
  await deriveSessions(store);
  const calls = await store.database
    .selectFrom("llm_traces")
    .select(["raw_request", "raw_response"])
    .orderBy("start_time")
    .execute();
  const exchanges = recordings.flatMap((one) => one.exchanges);
  expect(calls.map(({ raw_request }) => JSON.parse(raw_request ?? ""))).toEqual(
    exchanges.map(({ request }) => request.body),
  );
  const responses = calls.map(({ raw_response }) => JSON.parse(raw_response ?? ""));
  expect(responses.map(({ model }) => typeof model)).toEqual(exchanges.map(() => "string"));
  for (const session of sessions)
    expect(await documentOf(store, session.session_id)).toBe(canonicalJson(session));
  await store.close();
});
