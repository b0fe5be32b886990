import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { workflowRenderers } from "@thoughtflow/render";
import { checkSession, type FlowRecord } from "@thoughtflow/schema";
import { textsOf } from "@thoughtflow/schema/content-list";
import { createRandom } from "@thoughtflow/testkit";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { Workflow } from "@thoughtflow/workflow/schema";
import { describe, expect, test } from "vitest";
import { type AnyRequest, anyRequestLog, type Said } from "../../../testing/any-request-log.ts";
import { capturedIo } from "../../../testing/captured-io.ts";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOfText } from "../../../testing/imported-records.ts";
import {
  anthropicLog,
  anyHabits,
  chatLog,
  responsesLog,
  tokensOf,
} from "../../../testing/request-log-lines.ts";
import { thoughtflow } from "../../thoughtflow.ts";
import { openaiLog } from "../openai-log/openai-log.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";

const LOGS = 40;
const FORMS = [
  { form: "Anthropic's Messages", format: proxyLog, write: anthropicLog, items: "messages" },
  { form: "OpenAI's chat completions", format: openaiLog, write: chatLog, items: "messages" },
  { form: "OpenAI's Responses", format: openaiLog, write: responsesLog, items: "input" },
] as const;
type Form = (typeof FORMS)[number];

/** A log of that number: what was asked, what the import makes of its lines, and the bodies that were sent. */
async function importedLog({ format, write }: Form, seed: number) {
  const random = createRandom(seed);
  const habits = anyHabits(random);
  const log = anyRequestLog(random);
  const order = random() < 0.8 ? "endMs" : "startMs";
  const lines = log.toSorted((a, b) => a[order] - b[order]).map((one) => write(one, habits, log));
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { records } = await recordsOfText(format, text);
  const sessions = assemble(records);
  expect(sessions.flatMap(checkSession)).toEqual([]);
  const document = workflowOfSessions(sessions, { extractionTimestamp: "2026-01-01T00:00:00Z" });
  const workflow = Workflow.parse(JSON.parse(JSON.stringify(document)));
  const bodies = log.map(
    (one) => (write(one, habits, log) as { request: { body: object } }).request.body,
  );
  return { log, text, records, workflow, bodies };
}

type Log = readonly AnyRequest[];

/** Who sent what, and what it goes on from, request by request. */
function toldBy(log: Log, { entities, workflow_dag: dag }: Workflow) {
  const numbers = new Map(log.map(({ startMs, number }) => [startMs, number]));
  const requests = entities.api_requests.toSorted(
    (a, b) => (numberOf(a.timestamp) ?? 0) - (numberOf(b.timestamp) ?? 0),
  );
  const byId = new Map(requests.map(({ id, timestamp }) => [id, numberOf(timestamp)]));
  const firsts = new Map<string, number | undefined>();
  for (const { id, agent_id } of requests)
    if (!firsts.has(agent_id)) firsts.set(agent_id, byId.get(id));
  const continues = new Map(
    requests.map(({ id, continues }) => [byId.get(id), byId.get(continues ?? "")]),
  );
  const edges = new Map(
    dag.edges
      .filter(({ type }) => type === "subagent_spawn" || type === "continues")
      .map((edge) => [`${edge.type} ${byId.get(edge.target_request_id ?? "")}`, edge]),
  );
  const messages = new Map(entities.messages.map((message) => [message.id, message]));
  const names = new Map(dag.nodes.map(({ agent_id, name = "" }) => [agent_id, name]));

  function numberOf(time: string | undefined): number | undefined {
    return numbers.get(Date.parse(time ?? ""));
  }

  /** Past what was the same request. */
  function before(number: number | undefined): number | undefined {
    const at = continues.get(number);
    const isSame = at !== undefined && questionOf(log[at]) === questionOf(log[number ?? -1]);
    return isSame ? before(at) : at;
  }

  return requests.map(({ id, agent_id, usage, input }) => {
    const number = byId.get(id);
    const spawn = edges.get(`subagent_spawn ${number}`);
    const stretch = edges.get(`continues ${number}`);
    const [kind] = /^(?:probe|side)/.exec(names.get(agent_id) ?? "") ?? ["main"];
    const words: string[] = [];
    for (let at = input; at !== null; at = messages.get(at)?.parent ?? null)
      words.unshift(wordsOfEntity(messages.get(at)?.content as Content));
    return {
      number,
      agent: firsts.get(agent_id),
      before: before(number),
      kind,
      spawn: spawn && byId.get(spawn.source_request_id ?? ""),
      callId: spawn?.spawned_by_task_id,
      stretchOf: stretch && byId.get(stretch.source_request_id ?? ""),
      tokens: usage as Readonly<Record<string, number>> | undefined,
      words: comparable(words.join("")),
    };
  });
}

interface Content {
  readonly text?: string;
  readonly call_id?: string;
}

/** What tools gave is left out: programs cut it out of long histories. */
function wordsOfEntity({ text = "", call_id = "" }: Content): string {
  return text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "") + call_id;
}

function wordsOfSaid(one: Said): string {
  if (one.role === "tool") return "";
  return one.role === "user"
    ? one.text
    : one.answer.text + one.answer.calls.map(({ id }) => id).join("");
}

function comparable(words: string): string {
  return words.replace(/\s+/g, "");
}

/** Equal for a request that is sent again. */
function questionOf(request: AnyRequest | undefined): string {
  return JSON.stringify(request?.said.map((one) => wordsOfSaid(one)));
}

/** The same as it is. */
function truthOf(log: Log, asksAlone: boolean) {
  return log.map((request) => {
    const { number, agent, before, spawn, stretchOf, said } = request;
    const kind = asksAlone && request.kind === "side" ? "main" : request.kind;
    const words = comparable(said.map(wordsOfSaid).join(""));
    return { number, agent, before, kind, spawn: spawn?.request, stretchOf, words };
  });
}

/** The numbers of seed 002. */
function metricsOf(log: Log) {
  const agents = log.filter(({ agent, number }) => agent === number);
  const parents = agents.flatMap(({ spawn }) => (spawn ? [log[spawn.request]?.agent] : []));
  const depthOf = (agent: number): number => {
    const { spawn } = log[agent] as AnyRequest;
    return spawn === undefined ? 0 : 1 + depthOf((log[spawn.request] as AnyRequest).agent);
  };
  const results = log.flatMap(({ agent, said }) =>
    said.flatMap((one, at) =>
      one.role === "tool"
        ? one.results.map(({ id }) => JSON.stringify([agent, at, said[at - 1], id]))
        : [],
    ),
  );
  return {
    total_agents: agents.length,
    root_agents: agents.length - parents.length,
    leaf_agents: agents.length - new Set(parents).size,
    spawn_edges: parents.length,
    tool_result_edges: new Set(results).size,
    max_depth: Math.max(0, ...agents.map(({ number }) => depthOf(number))),
    avg_children_per_agent: Math.round((100 * parents.length) / agents.length) / 100,
  };
}

/** The bodies as they stand in the records, in the order of time. */
function rebuilt(records: readonly FlowRecord[], items: string): ReadonlyMap<number, object> {
  return new Map(
    records.flatMap((record) => {
      const texts =
        record.type === "span_end" ? record.content?.["thoughtflow.request"] : undefined;
      if (record.type !== "span_end" || texts === undefined) return [];
      const [rest, ...list] = textsOf(texts as never).map((text) => JSON.parse(text));
      return [[Number(BigInt(record.startTimeUnixNano) / 1_000_000n), { ...rest, [items]: list }]];
    }),
  );
}

/** By agents and requests. */
function expectCounts(log: Log, workflow: Workflow, which: string): void {
  const { workflow_dag: dag, relationships, metadata } = workflow;
  const truth = metricsOf(log);
  expect(dag.metrics, which).toMatchObject(truth);
  expect(dag.metrics.total_edges).toBe(dag.edges.length);
  expect(dag.root_agent_ids).toEqual(dag.nodes.filter((one) => one.is_root).map(({ id }) => id));
  expect(metadata.summary.agent_tracking).toMatchObject({
    total_agents: truth.total_agents,
    total_requests: log.length,
    avg_requests_per_agent: Math.round((100 * log.length) / truth.total_agents) / 100,
    root_agents: truth.root_agents,
    child_agents: truth.spawn_edges,
  });
  // No id tells which tool call asked for an agent: words do.
  for (const { type, origin, confidence } of dag.edges) {
    if (type !== "subagent_spawn") continue;
    expect(origin).toBe("inferred");
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(0.95);
  }
  const called = log.reduce((sum, { answer }) => sum + answer.calls.length, 0);
  expect(dag.nodes.reduce((sum, one) => sum + one.tool_use_count, 0)).toBe(called);
  expect(Object.values(relationships.agent_hierarchy).flat().length).toBe(truth.spawn_edges);
  for (const { agent_id, request_count } of dag.nodes) {
    const own = dag.request_nodes.filter((one) => one.agent_id === agent_id);
    expect(own.map(({ id, label }) => [id, label])).toEqual(
      own.map(({ timestamp = "" }, n) => [
        `${agent_id}_req_${n}`,
        `${agent_id} [${n + 1}/${request_count}] - ${timestamp.slice(11, 19)}`,
      ]),
    );
    const sent = Object.values(relationships.request_to_agent).filter((id) => id === agent_id);
    expect([own.length, sent.length]).toEqual([request_count, request_count]);
  }
}

describe.each(FORMS)("$form", (form) => {
  test("of any log it is found who sent what, who asked for whom, what was said, and how much of all that there is", async () => {
    let spawns = 0;
    for (let seed = 1; seed <= LOGS; seed++) {
      const { log, records, workflow, bodies } = await importedLog(form, seed);
      const found = toldBy(log, workflow);
      const asksAlone = form.format === openaiLog;
      expect(
        found.map(({ callId: _, tokens: __, ...one }) => one),
        `log ${seed}`,
      ).toEqual(truthOf(log, asksAlone));

      const used = found.flatMap(({ spawn, callId }) =>
        spawn === undefined ? [] : [`${spawn} ${callId}`],
      );
      expect(new Set(used).size, `log ${seed}`).toBe(used.length);
      for (const { number = -1, callId } of found)
        if (callId !== undefined) expect(log[number]?.spawn?.callIds).toContain(callId);
      spawns += used.length;

      for (const { number = -1, tokens } of found) {
        const request = log[number] as AnyRequest;
        const { input, cached, output } = tokensOf(request);
        if (request.outcome === "answered")
          expect(tokens, `log ${seed}, request ${number}`).toMatchObject({
            input_tokens: input,
            output_tokens: output,
            cache_read_input_tokens: cached,
          });
      }

      expectCounts(log, workflow, `log ${seed}`);
      const sent = rebuilt(records, form.items);
      expect(log.map(({ startMs }) => sent.get(startMs))).toEqual(bodies);
    }
    expect(spawns).toBeGreaterThan(LOGS * 10);
  });

  test("every format takes the workflow of any log", async () => {
    const { text } = await importedLog(form, 3);
    const cwd = directoryWith();
    writeFileSync(join(cwd, "log.jsonl"), text);
    const io = capturedIo(cwd);
    expect(await thoughtflow(["workflow", "log.jsonl", "-o", "workflow.json"], io)).toBe(0);
    for (const to of Object.keys(workflowRenderers)) {
      const drawn = capturedIo(cwd);
      expect(await thoughtflow(["convert", "workflow.json", "--to", to], drawn)).toBe(0);
      expect([to, drawn.stdout()]).not.toEqual([to, ""]);
    }
  });
});
