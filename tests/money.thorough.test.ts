import { readdirSync } from "node:fs";
import { assemble, decimalSum } from "@thoughtflow/assemble";
import type { Cost, SpanRecord } from "@thoughtflow/schema";
import {
  appendRecords,
  callsBy,
  callsByAdaptation,
  deriveSessions,
  openStore,
  overview,
  type Report,
  type Store,
  tokensByPart,
  workBy,
} from "@thoughtflow/store";
import { loadExchanges } from "@thoughtflow/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callOf, recordOf, say } from "../packages/assemble/testing/record-of.ts";
import { type Replay, replayRecordings } from "./recordings/replay-recordings.ts";

const RECORDINGS = new URL("../packages/testkit/recordings/", import.meta.url);
const recordings = readdirSync(RECORDINGS)
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, RECORDINGS))
      .filter((name) => name.endsWith(".json"))
      .map((name) => `${folder}/${name.slice(0, -".json".length)}`),
  )
  .map((name) => ({ name, exchanges: loadExchanges(name) }));

let replay: Replay;
let store: Store;
beforeAll(async () => {
  replay = await replayRecordings(recordings);
  store = await openStore(":memory:");
  await appendRecords(store, replay.records);
  await deriveSessions(store);
});
afterAll(() => store.close());

const sumOf = (amounts: readonly (string | number | null | undefined)[]): string =>
  decimalSum(amounts.filter((amount) => amount != null).map(String));

const column = ({ rows }: Report, name = "cost_usd") => rows.map((row) => row[name]);

test("every model call has a cost with its status, and what is priced its table and day", () => {
  const costs = replay.sessions
    .flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
    .flatMap(({ cost }) => cost ?? []);
  expect(costs.length).toBeGreaterThan(80);
  for (const { status, total, price_table, price_date } of costs) {
    const isKnown = status === "priced" || status === "estimated";
    expect(isKnown || ["unknown_model", "missing_usage"].includes(status)).toBe(true);
    expect(total !== null).toBe(isKnown);
    expect(price_table?.startsWith("genai-prices ") ?? false).toBe(isKnown);
    expect(/^\d{4}-\d\d-\d\d$/.test(price_date ?? "")).toBe(isKnown);
  }
});

test("what recordings cost is the same to the last digit, whoever is asked and by whatever", async () => {
  const total = sumOf(replay.sessions.map(({ totals }) => totals?.cost?.total));
  expect(Number(total)).toBeGreaterThan(0);
  const runs = replay.sessions.flatMap(({ conversations }) => conversations);
  expect(sumOf(runs.map(({ totals }) => totals?.cost?.total))).toBe(total);
  expect(column(await overview(store))).toEqual([total]);
  for (const by of ["model", "agent", "user", "session", "day"] as const)
    expect([by, sumOf(column(await callsBy(store, by)))]).toEqual([by, total]);
  const rows = await store.database
    .selectFrom("graph_runs")
    .select(["session_id", "run", "cost_usd"])
    .execute();
  for (const { session_id, run, cost_usd } of rows) {
    const session = replay.sessions.find((one) => one.session_id === session_id);
    expect(cost_usd).toBe(session?.conversations[run]?.totals?.cost?.total ?? null);
  }
});

test("what parts of prompts cost is what the input of the calls cost", async () => {
  const input = replay.sessions
    .flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
    .map(({ cost }) => (cost as Cost | undefined)?.input);
  expect(sumOf(column(await tokensByPart(store)))).toBe(sumOf(input));
});

test("what agents, tools and versions of adaptations cost is in their document, and in the store", async () => {
  const records = agentsWithTools();
  const [session] = assemble(records);
  const own = await openStore(":memory:");
  await appendRecords(own, records);
  await deriveSessions(own);
  // gpt-5-mini: 100 tokens at $0.25 and 10 at $2 a million, three times.
  const one = "0.000045";
  expect(session?.totals?.cost?.total).toBe("0.000135");
  const agents = session?.agents?.map(({ agent_id, totals }) => [agent_id, totals?.cost?.total]);
  expect(agents).toEqual([
    ["planner", "0.00009"],
    ["writer", one],
  ]);
  const byAgent = await callsBy(own, "agent");
  expect(byAgent.rows.map(({ agent, cost_usd }) => [agent, cost_usd])).toEqual(agents);
  const tools = await workBy(own, "tool");
  expect(
    tools.rows.map(({ tool, model_calls, cost_usd }) => [tool, model_calls, cost_usd]),
  ).toEqual([["write", 1, one]]);
  // What nodes cost, and what is called outside of any, is what all cost.
  const nodes = await workBy(own, "node");
  expect(column(nodes)).toEqual([one]);
  const outside = await own.database
    .selectFrom("llm_traces")
    .select("cost_usd")
    .where("node", "is", null)
    .execute();
  expect(sumOf([...column(nodes), ...outside.map(({ cost_usd }) => cost_usd)])).toBe(
    session?.totals?.cost?.total,
  );
  const adaptations = await callsByAdaptation(own);
  expect(
    adaptations.rows.map(({ adaptation, version, cost_usd }) => [adaptation, version, cost_usd]),
  ).toEqual([
    ["tone", "1", one],
    ["tone", "2", one],
  ]);
  await own.close();
});

const GUIDANCE = "Be kind.";

const promptOf = (version: string) => ({
  final_prompt: GUIDANCE,
  messages: [{ role: "system", start: 0, end: GUIDANCE.length }],
  parts: [
    {
      type: "prompt_adaptations",
      id: "tone",
      version,
      hash: "0123456789abcdef",
      start: 0,
      end: GUIDANCE.length,
    },
  ],
});

/** A planner's call, a tool in which a writer calls a model, and the planner once more, with a newer adaptation. */
function agentsWithTools(): SpanRecord[] {
  const question = say("user", "A poem, please.");
  const call = (id: string, parent: string, at: number, agent: string, version?: string) =>
    callOf(
      {
        id,
        parent,
        at,
        until: at + 1,
        attributes: {
          "gen_ai.usage.input_tokens": 100,
          "gen_ai.usage.output_tokens": 10,
          "gen_ai.response.model": "gpt-5-mini",
          "gen_ai.agent.id": agent,
        },
        ...(version !== undefined && { content: { "thoughtflow.prompt": promptOf(version) } }),
      },
      version === undefined ? [question] : [say("system", GUIDANCE), question],
      [say("assistant", `Answer ${id}.`)],
    );
  return [
    recordOf({ id: "1", at: 0, until: 9, name: "invoke_workflow" }),
    call("2", "1", 1, "planner", "1"),
    recordOf({
      id: "3",
      parent: "1",
      at: 3,
      until: 6,
      name: "execute_tool write",
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "write" },
    }),
    call("4", "3", 4, "writer"),
    call("5", "1", 7, "planner", "2"),
  ];
}
