import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type GraphRun, graphRuns, loadFlows, openStore, type Store } from "@thoughtflow/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../packages/cli/testing/spawned-cli.ts";

const APP = join(import.meta.dirname, "graph", "app.mjs");
const REGISTER = pathToFileURL(join(import.meta.dirname, "../packages/node/dist/register.js")).href;

/** The fields of seed 004, of each of its three models. */
const FIELDS = {
  graph_runs:
    "id userId conversationId status startTime endTime durationMs errorTrace initialState finalState",
  node_runs: "id graphRunId nodeName startTime endTime durationMs",
  llm_traces:
    "id nodeRunId model promptTokens completionTokens totalTokens costUsd startTime endTime durationMs errorTrace inputMessages outputMessage rawRequest rawResponse",
} as const;

const dir = mkdtempSync(join(tmpdir(), "graph-run-"));
const flows = join(dir, "thoughtflow");
afterAll(() => rmSync(dir, { recursive: true }));

let store: Store;
beforeAll(async () => {
  for (const how of ["completed", "concurrent", "failed", "aborted", "killed"]) await runApp(how);
  await runCli(["recover", "--dir", flows], dir);
  store = await openStore(join(dir, "flows.db"));
  await loadFlows(store, flows);
}, 300_000);
afterAll(() => store.close());

async function runApp(how: string): Promise<void> {
  const env = { ...process.env, THOUGHTFLOW_DIR: flows, THOUGHTFLOW_CAPTURE_RAW: "true" };
  const child = spawn(process.execPath, ["--import", REGISTER, APP, how], { env });
  await once(child, "exit");
}

async function runNamed(id: string): Promise<GraphRun> {
  const [run, ...others] = await graphRuns(store, id);
  if (run === undefined || others.length > 0) throw new Error(`${others.length} others of ${id}`);
  return run;
}

/** What became of a run and its nodes. */
async function endOf(id: string) {
  const { status, endTime, errorTrace, finalState, nodeRuns } = await runNamed(id);
  const nodes = nodeRuns.map((node) => [node.nodeName, node.status, node.llmTraces.length]);
  return { status, isEnded: endTime !== null, errorTrace, finalState, nodes };
}

test("every field of GraphRun, NodeRun and LLMTrace is a column, and a key of the JSON", async () => {
  const tables = await store.database.introspection.getTables();
  const run = await runNamed("SM-completed");
  const [node] = run.nodeRuns.filter(({ llmTraces }) => llmTraces.length > 0);
  const json = { graph_runs: run, node_runs: node, llm_traces: node?.llmTraces[0] };
  for (const [name, fields] of Object.entries(FIELDS)) {
    const columns = tables.find((table) => table.name === name)?.columns.map((one) => one.name);
    for (const field of fields.split(" ")) {
      const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(columns).toContain(column);
      expect(json[name as keyof typeof json]).toHaveProperty(field);
    }
  }
});

test("a run, its nodes and its model calls say what the program did, in the shapes of the seed", async () => {
  const run = await runNamed("SM-completed");
  const input = { MessageSid: "SM-completed", Body: "What is the weather in New York?" };
  expect(run).toMatchObject({
    id: "SM-completed",
    userId: "user-1",
    conversationId: "conversation-completed",
    status: "COMPLETED",
    startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    durationMs: expect.any(Number),
    errorTrace: null,
    initialState: { input },
    finalState: {
      graphRunId: "SM-completed",
      input,
      assistantReply: "It is 18 degrees.",
      pending: "NONE",
    },
    llmTraces: [],
  });
  expect((await endOf("SM-completed")).nodes).toEqual([
    ["ingestMessage", "COMPLETED", 0],
    ["routeIntent", "COMPLETED", 2],
    ["sendReply", "COMPLETED", 0],
  ]);
  const call = run.nodeRuns[1]?.llmTraces[0];
  const system = "You are a helpful assistant.";
  expect(call).toMatchObject({
    nodeRunId: run.nodeRuns[1]?.id,
    model: "gpt-5-mini-2025-08-07",
    promptTokens: 82,
    completionTokens: 18,
    totalTokens: 100,
    // 82 tokens at $0.25 a million, 18 at $2.
    costUsd: "0.0000565",
    errorTrace: null,
    inputMessages: [
      { role: "system", content: [{ type: "text", text: system }] },
      { role: "user", content: [{ type: "text", text: input.Body }] },
    ],
    outputMessage: {
      role: "assistant",
      content: [{ type: "text", text: "I can check that for you." }],
      meta: {
        tool_calls: [
          { id: "call_abc123", name: "get_weather", arguments: { location: "New York" } },
        ],
      },
    },
    rawResponse: {
      id: "chatcmpl-1",
      object: "chat.completion",
      usage: { prompt_tokens: 82, completion_tokens: 18, total_tokens: 100 },
    },
  });
  expect(call?.rawRequest).toEqual({
    model: "gpt-5-mini",
    tools: [
      { type: "function", function: { name: "get_weather", parameters: { type: "object" } } },
    ],
    tool_choice: "auto",
    temperature: 0.7,
    messages: [
      { role: "system", content: system },
      { role: "user", content: input.Body },
    ],
  });
});

test("two runs of the same nodes at once keep their calls apart", async () => {
  const runs = [await runNamed("SM1"), await runNamed("SM2")];
  const calls = runs.map(({ nodeRuns }) => nodeRuns.map(({ llmTraces }) => llmTraces.length));
  expect(calls).toEqual([
    [0, 2, 0],
    [0, 2, 0],
  ]);
  const ids = runs.flatMap(({ nodeRuns }) => nodeRuns.map(({ id }) => id));
  expect(new Set(ids).size).toBe(6);
});

test("a run that fails keeps its trace, says in which node and with what it was caused by", async () => {
  const { errorTrace, ...end } = await endOf("SM-failed");
  expect(end).toEqual({
    status: "ERROR",
    isEnded: true,
    finalState: null,
    nodes: [
      ["ingestMessage", "COMPLETED", 0],
      ["routeIntent", "COMPLETED", 2],
      ["sendReply", "ERROR", 0],
    ],
  });
  expect(errorTrace).toMatch(
    /^Error: the reply was refused\n +at sendReply .*\nCaused by: Error: 421\n/s,
  );
});

test("a run that is aborted keeps its trace, and says by what it was and with what that was caused by", async () => {
  const { errorTrace, ...end } = await endOf("SM-aborted");
  expect(end).toEqual({
    status: "ABORTED",
    isEnded: true,
    finalState: null,
    nodes: [
      ["ingestMessage", "COMPLETED", 0],
      ["routeIntent", "COMPLETED", 2],
      ["sendReply", "ABORTED", 0],
    ],
  });
  expect(errorTrace).toMatch(
    /^AbortError: The user left\.\n +at .*sendReply .*\nCaused by: Error: hung up\n/s,
  );
  const { nodeRuns } = await runNamed("SM-aborted");
  expect(nodeRuns.at(-1)?.errorTrace).toBe(errorTrace);
});

test("a run whose process is killed keeps its trace, and the node in which it was has no end", async () => {
  expect(await endOf("SM-killed")).toEqual({
    status: "ERROR",
    isEnded: false,
    errorTrace: "abandoned: recovered_after_crash",
    finalState: null,
    nodes: [
      ["ingestMessage", "COMPLETED", 0],
      ["routeIntent", "COMPLETED", 2],
      ["sendReply", "ERROR", 0],
    ],
  });
  const { nodeRuns } = await runNamed("SM-killed");
  expect(nodeRuns.map(({ endTime }) => endTime !== null)).toEqual([true, true, false]);
});
