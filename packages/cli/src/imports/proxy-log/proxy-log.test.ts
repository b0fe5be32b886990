import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { assemble } from "@thoughtflow/assemble";
import { readJournals } from "@thoughtflow/journal";
import { keepRecords } from "@thoughtflow/processor/records";
import { checkSession, type Session } from "@thoughtflow/schema";
import { textsOf } from "@thoughtflow/schema/content-list";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { Workflow } from "@thoughtflow/workflow/schema";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { ImportProblem } from "../import-format.ts";
import { proxyLog } from "./proxy-log.ts";

const log = gunzipSync(
  readFileSync(new URL("../../../fixtures/proxy-claude-trace/requests.jsonl.gz", import.meta.url)),
).toString();

async function sessionOf(text: string): Promise<{ session: Session; warnings: readonly string[] }> {
  const { records, warnings } = await recordsOfText(proxyLog, text);
  const [session] = assemble(records) as [Session];
  expect(checkSession(session)).toEqual([]);
  return { session, warnings };
}

/** 1 + 3 + … + 27, 1 + 3 + 5, and 47 with one each. */
const SENT_MESSAGES = 252;

const { session, warnings } = await sessionOf(log);
const steps = session.conversations.flatMap((run) => run.steps);

test("of 17 requests of the agent 15 go on from the one before; 47 others are never taken for it", () => {
  expect(warnings.filter((line) => !line.startsWith("Left out: "))).toEqual([]);
  const { agents = [] } = session;
  const main = agents.filter(({ name }) => name === "Claude Code");
  expect(main.map(({ totals }) => totals?.model_calls)).toEqual([14, 3]);
  expect(agents.filter(({ name }) => name === "probe").length).toBe(18);
  expect(agents.filter(({ name }) => name?.startsWith("side: ")).length).toBe(29);
  expect(agents.every(({ name, totals }) => name === "Claude Code" || totals?.model_calls === 1));
});

test("what /compact left is another stretch, which goes on from the summary", () => {
  const continued = steps.flatMap(({ agent_id, edges = [] }) =>
    edges
      .filter(({ type }) => type === "continues")
      .map(({ to, origin }) => ({
        from: session.agents?.findIndex((agent) => agent.agent_id === agent_id),
        to: steps.find(({ step_id }) => step_id === to)?.agent_id,
        origin,
      })),
  );
  const [first, second] = (session.agents ?? []).filter(({ name }) => name === "Claude Code");
  expect(continued).toEqual([
    {
      from: session.agents?.indexOf(second as never),
      to: first?.agent_id,
      origin: "inferred",
    },
  ]);
});

test("/compact is no turn of the user: the summary is asked for in the run that it sums up", () => {
  const own = (session.agents ?? []).filter(({ name }) => name === "Claude Code");
  const ids = new Set(own.map(({ agent_id }) => agent_id));
  const last = session.conversations.map((run) =>
    run.steps
      .filter(({ label, agent_id }) => label === "user_message" && ids.has(agent_id ?? ""))
      .map(({ payload_started }) => String(payload_started?.["text"])),
  );
  expect(last).toHaveLength(4);
  expect(last[1]?.at(-1)).toMatch(/^Your task is to create a detailed summary /);
  expect(last[2]?.[0]).toMatch(/please delete the weather folder/);
});

// Nothing can be counted of how a pattern is looked for: if it were from each line to the end, it would never end.
test("what a person says in a million empty lines is read once", async () => {
  const turns = [{ role: "user", content: "Go." }];
  const lines = [1, 2].map((nth) => {
    const line = JSON.stringify({
      request: {
        timestamp: 1_772_359_200 + 2 * nth,
        url: "https://api.anthropic.com/v1/messages",
        body: {
          model: "claude-opus-4-5",
          max_tokens: 9_000,
          messages: turns,
          tools: [{ name: "Bash" }],
        },
      },
      response: {
        timestamp: 1_772_359_201 + 2 * nth,
        status_code: 200,
        body: {
          ...{ id: `msg_${nth}`, type: "message", role: "assistant", model: "claude-opus-4-5" },
          content: [{ type: "text", text: "Yes." }],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
    });
    turns.push(
      { role: "assistant", content: "Yes." },
      { role: "user", content: `More.${"\n".repeat(1_000_000)}Less.` },
    );
    return line;
  });
  expect((await sessionOf(lines.join("\n"))).session.conversations).toHaveLength(2);
});

test("the streams are read whole: tools are called and answered, tokens counted and priced", () => {
  const tools = steps.filter(({ label }) => label === "tool_call");
  const outputs = steps.filter(({ label }) => label === "tool_output");
  expect([tools.length, outputs.length]).toEqual([12, 12]);
  expect(session.totals).toMatchObject({ model_calls: 64, cost: { calls: { priced: 64 } } });
  expect(session.title).toBe(
    "create a folder weather and generate a single page .html app that displays the…",
  );
});

test("what requests repeat stands once in the workflow: the ratios are those of the log", () => {
  const document = workflowOfSessions([session], { extractionTimestamp: "2026-01-01T00:00:00Z" });
  expect(Workflow.parse(JSON.parse(JSON.stringify(document)))).toEqual(
    JSON.parse(JSON.stringify(document)),
  );
  const { summary } = document.metadata;
  expect(summary.agent_tracking).toMatchObject({ total_agents: 49, total_requests: 64 });
  const { tool_definitions: tools, system_prompts: systems } = summary.deduplication.by_entity_type;
  // 16 requests with 17 tools and one with one of them; all but 18 probes have a system prompt.
  expect(tools).toEqual({ unique: 17, occurrences: 273, ratio: 16.06 });
  expect(systems).toMatchObject({ unique: 6, occurrences: 46 });
  const sent = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).request.body.messages.length as number)
    .reduce((sum, count) => sum + count, 0);
  expect(sent).toBe(SENT_MESSAGES);
  const messages = summary.deduplication.by_entity_type["messages"];
  expect(messages?.occurrences).toBeGreaterThanOrEqual(sent);
  expect(messages?.ratio).toBeGreaterThan(3);
  const ids = document.entities.messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the messages of the longest request are found by following their parents", () => {
  const { entities } = workflowOfSessions([session], { extractionTimestamp: "" });
  const byId = new Map(entities.messages.map((message) => [message.id, message]));
  const lengths = entities.api_requests.map(({ input }) => {
    let length = 0;
    for (let at = input; at !== null; at = byId.get(at)?.parent ?? null) length++;
    return length;
  });
  expect(Math.max(...lengths)).toBeGreaterThanOrEqual(27);
});

test("every request is rebuilt from the journal as it was sent, its cache marks included", async () => {
  const dir = directoryWith({});
  const { records } = await recordsOfText(proxyLog, log);
  await keepRecords(dir, records);
  const rebuilt = new Map(
    (await readJournals(dir)).flatMap((record) => {
      if (record.type !== "span_end") return [];
      const texts = record.content?.["thoughtflow.request"] as never;
      if (texts === undefined) return [];
      const [body, ...messages] = textsOf(texts).map((text) => JSON.parse(text));
      return [[record.startTimeUnixNano, { ...body, messages }] as const];
    }),
  );
  const sent = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).request)
    .toSorted((a, b) => a.timestamp - b.timestamp)
    .map(({ body }) => body);
  expect([...rebuilt.values()]).toEqual(sent);
});

test("lines that are no exchange are counted, broken ones kept; a file without any is told", async () => {
  const { warnings } = await sessionOf(`{"a":1}\nno json\n${log.split("\n")[5]}\n{"request":{"bo`);
  expect(warnings).toEqual([
    "Left out: 1 × line that is no exchange with the Messages API.",
    "Kept as text: 1 × line that can't be read (it is no JSON).",
    "Kept as text: 1 × line that can't be read (it was cut off).",
    "Left out: 1 × exchange request.method: of the HTTP exchange, not of what was said.",
    "Left out: 1 × exchange logged_at: the times of request and answer are kept.",
  ]);
  await expect(recordsOfText(proxyLog, '{"type":"user"}\n')).rejects.toThrow(ImportProblem);
});

test("bodies may be the texts that were sent, streams among them", async () => {
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(
      ({ request, response: { body, body_raw, status_code: status, ...response }, ...line }) => ({
        ...line,
        request: { ...request, body: JSON.stringify(request.body) },
        response: { ...response, status, body: body_raw ?? JSON.stringify(body) },
      }),
    );
  const told = await sessionOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(told.session.totals).toEqual(session.totals);
  expect(told.session.agents?.length).toBe(session.agents?.length);
  expect(told.warnings.join()).not.toContain("not known");
});

/** A stream as Bedrock sends it, and claude-trace keeps it: as text, bytes that are none among it. */
function bedrockStream(text: string): string {
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) =>
    Buffer.from(data).toString("base64"),
  );
  return events
    .map(
      (bytes) =>
        `\u0000\u0000\u0001K:event-type\u0007chunk:message-type\u0007event{"bytes":"${bytes}","p":"abc"}\ufffd`,
    )
    .join("");
}

test.each([
  [
    "Bedrock",
    "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.MODEL%3A0/invoke-with-response-stream",
    bedrockStream,
  ],
  [
    "Vertex AI",
    "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/MODEL:streamRawPredict",
    (text: string) => text,
  ],
])(
  "requests to Anthropic's models at %s name the model in the address",
  async (_, address, stream) => {
    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(
        ({
          request: {
            body: { model, stream: __, ...body },
            ...request
          },
          response,
          ...line
        }) => ({
          ...line,
          request: { ...request, url: address.replace("MODEL", model), body },
          response: {
            ...response,
            ...(response.body_raw && { body_raw: stream(response.body_raw) }),
          },
        }),
      );
    const told = await sessionOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { cost: __, ...totals } = told.session.totals ?? {};
    expect(session.totals).toMatchObject(totals);
    expect(told.session.agents?.length).toBe(session.agents?.length);
  },
);

test("the parameters of a request and its answer are enough; times may stand beside them", async () => {
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ request, response }) => ({
      timestamp: request.timestamp,
      durationMs: 1_000 * (response.timestamp - request.timestamp),
      request: request.body,
      response: response.body ?? response.body_raw,
    }));
  const told = await sessionOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(told.session.totals).toEqual(session.totals);
  expect(told.session.agents?.length).toBe(session.agents?.length);
  expect(told.session.started_at).toBe(session.started_at);
  expect(told.warnings.join()).not.toContain("not known");
});
