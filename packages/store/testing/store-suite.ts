import { randomBytes } from "node:crypto";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson, type FlowRecord, type SpanRecord } from "@thoughtflow/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  appendDocument,
  appendRecords,
  callsBy,
  deriveSessions,
  documentOf,
  forgetSessions,
  graphRuns,
  oldSessions,
  overview,
  runs,
  type Store,
  sessionsOfUser,
  tokensByPart,
  workBy,
} from "../src/index.ts";
import { killedRun, weatherRun } from "./stories.ts";
import { rowsIn, toldStore } from "./told-store.ts";

/** What every store does, whatever database it is in. `open` gives an empty one each time. */
export function storeSuite(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    beforeAll(async () => {
      store = await toldStore(open);
    });
    afterAll(() => store.close());

    const rowsOf = (query: string) => rowsIn(store, query);

    test("documents come back byte for byte", async () => {
      for (const records of [weatherRun("1", "ann"), killedRun("3", "ann")]) {
        const [session] = assemble(records);
        if (session === undefined) throw new Error("no session");
        expect(await documentOf(store, session.session_id)).toBe(canonicalJson(session));
      }
      expect(await documentOf(store, "nobody")).toBeUndefined();
    });

    test("a run is a GraphRun, with every field", async () => {
      const [run] = await rowsOf("select * from graph_runs where id = 'SM1'");
      expect(run).toMatchObject({
        id: "SM1",
        user_id: "ann",
        conversation_id: "session-1",
        status: "COMPLETED",
        start_time: "2026-01-01T00:01:40.000Z",
        end_time: "2026-01-01T00:01:50.000Z",
        duration_ms: 10_000,
        error_trace: null,
        initial_state: '{"input":{"Body":"How warm is it in Perth?"}}',
        final_state: '{"reply":"18 degrees."}',
      });
    });

    test("nodes are NodeRuns, model calls LLMTraces of the node around them", async () => {
      expect(
        await rowsOf(
          "select node_name, status, duration_ms from node_runs where session_id = 'session-1' order by step",
        ),
      ).toEqual([
        { node_name: "routeIntent", status: "COMPLETED", duration_ms: 6000 },
        { node_name: "reply", status: "COMPLETED", duration_ms: 3000 },
      ]);
      const [, second] = await rowsOf(
        "select t.*, n.node_name from llm_traces t join node_runs n on n.session_id = t.session_id and n.id = t.node_run_id where t.session_id = 'session-1' order by t.step",
      );
      expect(second).toMatchObject({
        node_name: "routeIntent",
        model: "gpt-5-mini",
        prompt_tokens: 150,
        completion_tokens: 7,
        total_tokens: 157,
        cost_usd: "0.0000515",
        cost_status: "priced",
        duration_ms: 2000,
        error_trace: null,
      });
      const { input_messages, output_message } = second as Record<string, string>;
      expect(JSON.parse(input_messages ?? "")).toEqual([
        { role: "user", content: [{ type: "text", text: "How warm is it in Perth?" }] },
        {
          role: "assistant",
          content: [],
          meta: { tool_calls: [{ id: "call_1", name: "weather", arguments: { city: "Perth" } }] },
        },
        {
          role: "tool",
          content: [{ type: "text", text: "18 degrees" }],
          meta: { tool_call_id: "call_1" },
        },
      ]);
      expect(JSON.parse(output_message ?? "")).toMatchObject({
        role: "assistant",
        content: [{ type: "text", text: "18 degrees." }],
      });
    });

    test("a run comes with its nodes and model calls in the words of GraphRun", async () => {
      const [run, ...others] = await graphRuns(store, "SM1");
      expect(others).toEqual([]);
      expect(run).toMatchObject({
        id: "SM1",
        userId: "ann",
        conversationId: "session-1",
        status: "COMPLETED",
        durationMs: 10_000,
        initialState: { input: { Body: "How warm is it in Perth?" } },
        finalState: { reply: "18 degrees." },
        llmTraces: [],
      });
      expect(run?.nodeRuns.map(({ nodeName, llmTraces }) => [nodeName, llmTraces.length])).toEqual([
        ["routeIntent", 2],
        ["reply", 0],
      ]);
      expect(run?.nodeRuns[0]?.llmTraces[1]).toMatchObject({
        totalTokens: 157,
        costUsd: "0.0000515",
        inputMessages: [{ role: "user" }, { role: "assistant" }, { role: "tool" }],
        outputMessage: { content: [{ type: "text", text: "18 degrees." }] },
        rawRequest: null,
      });
    });

    test("a killed run keeps its whole trace, and the node in which it broke has no end", async () => {
      const [run] = await rowsOf(
        "select status, error_trace, end_time, model_calls from graph_runs where id = 'SM3'",
      );
      expect(run).toEqual({
        status: "ERROR",
        error_trace: "abandoned: recovered_after_crash",
        end_time: null,
        model_calls: 2,
      });
      expect(
        await rowsOf(
          "select node_name, end_time from node_runs where session_id = 'session-3' and end_time is null",
        ),
      ).toEqual([{ node_name: "reply", end_time: null }]);
      const failed = await runs(store, "failed", {
        limit: 5,
        silentSince: "2026-01-01T00:00:00.000Z",
      });
      expect(failed.rows.map(({ run, failed_in }) => [run, failed_in])).toEqual([
        ["SM3", "reply"],
        ["SM2", null],
      ]);
    });

    test("what never ended is told apart from what failed", async () => {
      const [all] = (await overview(store)).rows;
      expect([all?.["errors"], all?.["abandoned"], all?.["aborted"]]).toEqual([1, 1, 0]);
      const { rows: nodes } = await workBy(store, "node");
      const told = nodes.find(({ node }) => node === "reply");
      expect([told?.["errors"], told?.["error_rate"], told?.["abandoned"]]).toEqual([0, 0, 1]);
      for (const { errors, abandoned } of (await callsBy(store, "model")).rows)
        expect([errors, abandoned]).toEqual([0, 0]);
      const { rows } = await runs(store, "failed", { limit: 5, silentSince: "2026" });
      expect(rows.map(({ run, status }) => [run, status])).toEqual([
        ["SM3", "ABANDONED"],
        ["SM2", "ERROR"],
      ]);
    });

    test("the same records again change nothing, in whatever order and portions", async () => {
      const before = await rowsOf("select * from steps order by session_id, run, step");
      const again: FlowRecord[] = [...killedRun("3", "ann"), ...weatherRun("1", "ann")].reverse();
      expect(await appendRecords(store, again.slice(0, 4))).toBe(0);
      expect(await appendRecords(store, again)).toBe(0);
      expect(await deriveSessions(store)).toEqual({ sessions: [], failed: [] });
      expect(await rowsOf("select * from steps order by session_id, run, step")).toEqual(before);
    });

    test("what began before a moment is left out", async () => {
      const since = "2026-01-01T00:03:00.000Z";
      const later = await callsBy(store, "model", { since });
      expect(later.rows.map(({ calls }) => calls)).toEqual([4]);
      expect((await tokensByPart(store, { since })).rows.length).toBeGreaterThan(0);
    });

    test("what no column can hold is in the document all the same", async () => {
      const hostile = "'; drop table steps; -- \" \0 \ud800 ‘ \\ %_ $[*] 𝄞";
      const records = weatherRun("7", hostile);
      await appendRecords(store, records);
      await deriveSessions(store);
      const [session] = assemble(records);
      expect(await documentOf(store, "session-7")).toBe(session && canonicalJson(session));
      expect(await sessionsOfUser(store, hostile)).toEqual(["session-7"]);
    });

    test("names and ids of any length are kept apart, and keep nothing else from being taken", async () => {
      const long = randomBytes(6000).toString("hex");
      const named = (trace: string, user: string, session: string): SpanRecord[] =>
        weatherRun(trace, user).map((record) => ({
          ...record,
          attributes: {
            ...record.attributes,
            "session.id": session,
            ...("thoughtflow.run.id" in record.attributes && { "thoughtflow.run.id": long }),
            ...("gen_ai.response.model" in record.attributes && { "gen_ai.response.model": long }),
          },
        }));
      const sessions = [named("c", `${long}1`, `${long}1`), named("d", `${long}2`, `${long}2`)];
      await appendRecords(store, sessions.flat());
      expect((await deriveSessions(store)).failed).toEqual([]);
      for (const [at, records] of sessions.entries()) {
        const [session] = assemble(records);
        expect(await documentOf(store, `${long}${at + 1}`)).toBe(session && canonicalJson(session));
        expect(await sessionsOfUser(store, `${long}${at + 1}`)).toHaveLength(1);
      }
      expect(await graphRuns(store, long)).toHaveLength(2);
      const [shown = ""] = await sessionsOfUser(store, `${long}1`);
      expect(await forgetSessions(store, [shown], true)).toEqual([`${long}1`]);
      await appendRecords(store, sessions.flat());
      await deriveSessions(store);
      expect(await documentOf(store, `${long}1`)).toBeUndefined();
      await forgetSessions(store, [`${long}1`, `${long}2`], false);
    });

    test("a document without records is kept as it is, until more is known", async () => {
      const [session] = assemble(weatherRun("8", "eve"));
      if (session === undefined) throw new Error("no session");
      const text = `${JSON.stringify(session)} \n`;
      await appendDocument(store, session, text);
      await deriveSessions(store);
      expect(await documentOf(store, "session-8")).toBe(text);
      expect(await rowsOf("select user_id from graph_runs where session_id = 'session-8'")).toEqual(
        [{ user_id: "eve" }],
      );
      await appendRecords(store, weatherRun("8", "eve"));
      await deriveSessions(store);
      expect(await documentOf(store, "session-8")).toBe(canonicalJson(session));
    });

    test("a session is found however its spans name it, also when they do so late", async () => {
      const naming: ((id: string) => Partial<SpanRecord>)[] = [
        (id) => ({ attributes: { "gen_ai.conversation.id": id } }),
        (id) => ({ resource: { "session.id": id } }),
      ];
      for (const [at, name] of naming.entries()) {
        const trace = `c${at}`;
        const [root, ...others] = weatherRun(trace, "kim").map(withoutSession);
        if (root === undefined) throw new Error("no run");
        await appendRecords(store, others);
        await deriveSessions(store);
        const unnamed = `s_${root.traceId}`;
        expect(await documentOf(store, unnamed)).toBeDefined();
        const more = name(`named-${trace}`);
        const named = { ...root, ...more, attributes: { ...root.attributes, ...more.attributes } };
        await appendRecords(store, [named]);
        await deriveSessions(store);
        const [session] = assemble([named, ...others]);
        expect(session?.session_id).toBe(`named-${trace}`);
        expect(await documentOf(store, `named-${trace}`)).toBe(session && canonicalJson(session));
        expect(await rowsOf(`select 1 from sessions where session_id = '${unnamed}'`)).toEqual([]);
        await forgetSessions(store, [`named-${trace}`], false);
      }
    });

    test("a session that can't be made rows keeps no other from it", async () => {
      const poisoned = weatherRun("a1", "mal").map((record) => ({
        ...record,
        startTimeUnixNano: "never",
      }));
      await appendRecords(store, [...poisoned, ...weatherRun("6", "fay")]);
      const { sessions, failed } = await deriveSessions(store);
      expect(sessions).toEqual(["session-6"]);
      expect(failed).toEqual([{ session: "session-a1", reason: expect.stringMatching(/never/) }]);
      expect(await deriveSessions(store)).toEqual({ sessions: [], failed: [] });
    });

    test("a forgotten user is in no table any more", async () => {
      await appendRecords(store, weatherRun("9", "zoe"));
      await deriveSessions(store);
      const ids = await sessionsOfUser(store, "zoe");
      expect(ids).toEqual(["session-9"]);
      await forgetSessions(store, ids, false);
      const left = await Promise.all(
        [
          "records",
          "sessions",
          "graph_runs",
          "steps",
          "edges",
          "llm_traces",
          "prompt_parts",
          "dirty",
        ].map((table) => rowsOf(`select 1 from ${table} where session_id = 'session-9'`)),
      );
      expect(left.flat()).toEqual([]);
      expect(
        await rowsOf(
          "select 1 from pieces where scope = 'session-9' union select 1 from lists where scope = 'session-9'",
        ),
      ).toEqual([]);
      expect(await documentOf(store, "session-9")).toBeUndefined();
    });

    test("a run that runs is kept as long as it gives a sign", async () => {
      // The process that would say what became of it is not heard of any more.
      const running = killedRun("b", "ida").filter(({ type }) => type !== "session");
      await appendRecords(store, running);
      await deriveSessions(store);
      const before = "2027-01-01T00:00:00.000Z";
      const sign = "2026-01-01T00:18:26.000Z";
      expect(
        await rowsOf("select status, last_at from graph_runs where session_id = 'session-b'"),
      ).toEqual([{ status: "RUNNING", last_at: sign }]);
      expect(await oldSessions(store, { before })).not.toContain("session-b");
      expect(await oldSessions(store, { bytes: 0, silentSince: sign })).not.toContain("session-b");
      const later = "2026-01-01T00:18:26.001Z";
      expect(await oldSessions(store, { before, silentSince: later })).toContain("session-b");
      await forgetSessions(store, ["session-b"], false);
    });

    test("what was forgotten for ever is not shown when it comes again", async () => {
      for (const isForever of [false, true]) {
        await appendRecords(store, weatherRun("9", "zoe"));
        await deriveSessions(store);
        expect(await sessionsOfUser(store, "zoe")).toEqual(["session-9"]);
        await forgetSessions(store, ["session-9"], isForever);
      }
      await appendRecords(store, weatherRun("9", "zoe"));
      await deriveSessions(store);
      expect(await sessionsOfUser(store, "zoe")).toEqual([]);
      expect(await documentOf(store, "session-9")).toBeUndefined();
    });
  });
}

function withoutSession(record: SpanRecord): SpanRecord {
  const { "session.id": _, ...attributes } = record.attributes;
  return { ...record, attributes };
}
