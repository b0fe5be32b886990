import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import {
  createNeutralSpan,
  neutralSpan,
  SPAN_DIALECTS,
  sessionIdOf,
  withoutContent,
} from "@thoughtflow/dialects/spans";
import { decodeJsonRequest } from "@thoughtflow/otlp";
import { checkSession, readSession, type SpanRecord } from "@thoughtflow/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordsOfExport } from "./dialects/langfuse-records.ts";
import { compareOpinions } from "./dialects/second-opinion.ts";
import { linesOf, spanOf } from "./dialects/span-of.ts";
import { dialectTables } from "./docs/dialects-page.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`./dialects/fixtures/${name}`, import.meta.url), "utf8");
const exported = (name: string): readonly SpanRecord[] =>
  recordsOfExport(JSON.parse(fixture(`${name}.trace.json`)));

function only(records: readonly SpanRecord[]) {
  const sessions = assemble(records);
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) throw new Error("not one session");
  const read = readSession(JSON.stringify(session));
  expect(read.ok && checkSession(read.session)).toEqual([]);
  return session;
}

describe("real exports", () => {
  test.each(["koog", "agno", "pydantic-ai"])(
    "%s: who looks at some attributes sees the same in them",
    (name) => {
      const isWanted = (one: string) => /^gen_ai\.(?:usage|request|provider|operation)\./.test(one);
      const some = createNeutralSpan(isWanted);
      const wantedOf = ({ attributes }: SpanRecord) =>
        Object.fromEntries(Object.entries(attributes).filter(([one]) => isWanted(one)));
      for (const record of exported(name)) {
        expect(some(record)).toEqual({
          ...some(record),
          attributes: wantedOf(neutralSpan(record)),
        });
      }
    },
  );

  test("Koog: calls and outputs are joined by the ids in the text of messages", () => {
    expect(linesOf(only(exported("koog")))).toMatchInlineSnapshot(`
      [
        "agent: run.6f8d2449-33ed-4c7c-82e7-5410e34ee4e6",
        "node: node.__start__",
        "node: node.nodeCallLLM",
        "policy.snapshot: ",
        "user_message: Greet and say goodbye to the user in the same message. Use p…",
        "assistant_call: openai.chat | gpt-4o | ["HelloTool","ByeTool"]",
        "node: node.nodeExecuteTool",
        "tool_call: ByeTool | {"name":"Bob"}",
        "tool_output: Bye my dear Bob!",
        "tool_call: HelloTool | {"name":"Bob"}",
        "tool_output: Hello my darling Bob!",
        "node: node.nodeSendToolResult",
        "assistant_call: openai.chat | gpt-4o | Hello my darling Bob! And, bye my dear Bob!",
        "assistant_message: Hello my darling Bob! And, bye my dear Bob!",
        "node: node.__finish__",
      ]
    `);
  });

  test("agno: what OpenInference and Langfuse report of one call is counted once, with the richer messages", () => {
    const session = only(exported("agno"));
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "policy.snapshot: ",
        "tool.schemas.snapshot: ",
        "user_message: What is currently trending on Twitter?",
        "assistant_call: openai.chat | gpt-4o-mini | ["duckduckgo_search"]",
        "assistant_call: chat | gpt-4o-mini 163+20",
        "tool_call: duckduckgo_search | {"query":"currently trending on Twitter"}",
        "tool_output: [{"title":"Twitter. It's what's happening / Twitter","href":…",
      ]
    `);
    expect(session.totals).toMatchObject({ model_calls: 1, tool_calls: 1, input_tokens: 163 });
  });

  test("pydantic-ai: events become messages, the agent's tokens are a sum", () => {
    const session = only(exported("pydantic-ai"));
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "agent: qa_agent run | Langfuse is a tool designed for observability and monitoring…",
        "policy.snapshot: ",
        "user_message: What is Langfuse?",
        "assistant_call: openai.chat | gpt-4o | Langfuse is a tool designed for observability and monitoring… 31+96",
        "assistant_message: Langfuse is a tool designed for observability and monitoring…",
      ]
    `);
    expect(session.totals).toMatchObject({ model_calls: 1, input_tokens: 31, output_tokens: 96 });
  });

  test("LangChain with OpenInference: retrieval, model call, and what no table knows", () => {
    const { records, rejected } = decodeJsonRequest(fixture("langchain-rag.json"));
    expect(rejected).toEqual([]);
    const session = only(records);
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "node: retrieval_chain | what was meta's revenue in Q4 2023",
        "retrieval: VectorStoreRetriever | what was meta's revenue in Q4 2023 | [{"content":"Meta Platforms Inc. Q4 2023 Earnings Report\\n\\n…",
        "generic: chroma.collection.query",
        "user_message: 
          Answer the following question based on the provided con…",
        "assistant_call: chat | gpt-3.5-turbo | Meta Platforms Inc.'s revenue in Q4 2023 was $40.1 billion. 629+19",
        "assistant_message: Meta Platforms Inc.'s revenue in Q4 2023 was $40.1 billion.",
      ]
    `);
    const database = session.conversations[0]?.steps.find(({ label }) => label === "generic");
    expect(database?.["attributes"]).toMatchObject({ "db.system.name": "chroma" });
    expect(session.conversations[0]?.["attributes"]).toEqual({
      "app.environment": "development",
      "app.name": "earnings-reports-rag",
    });
  });

  test("Langfuse reads the same messages, but for two that Koog writes under the role of a tool", () => {
    const both = ["koog", "pydantic-ai"].map((name) =>
      compareOpinions(exported(name), JSON.parse(fixture(`${name}.chatml.json`))),
    );
    expect(both.map(({ compared }) => compared)).toEqual([11, 3]);
    expect(both.flatMap(({ disagreements }) => disagreements)).toEqual(
      ["HelloTool", "ByeTool"].map((tool) =>
        expect.objectContaining({
          ours: `assistant:  → ${tool}({"name":"Bob"})`,
          theirs: `tool:  → ${tool}({"name":"Bob"})`,
        }),
      ),
    );
  });

  test("the order and the pieces in which spans come change nothing", () => {
    const records = exported("koog");
    const expected = JSON.stringify(assemble(records));
    fc.assert(
      fc.property(fc.shuffledSubarray([...records], { minLength: records.length }), (shuffled) => {
        expect(JSON.stringify(assemble([...shuffled, ...shuffled.slice(3)]))).toBe(expected);
      }),
      { numRuns: 10 },
    );
  });
});

describe("made after what the emitters document", () => {
  test("the Vercel AI SDK 4 to 6: the loop is an agent, the call inside the model call", () => {
    const scope = { name: "ai" };
    const session = only([
      spanOf(
        1,
        {
          "ai.operationId": "ai.generateText",
          "ai.usage.promptTokens": 9,
          "ai.telemetry.metadata.sessionId": "chat-7",
        },
        { scope },
      ),
      spanOf(
        2,
        {
          "ai.operationId": "ai.generateText.doGenerate",
          "ai.model.id": "gpt-4o",
          "ai.model.provider": "openai.chat",
          "ai.prompt.messages": '[{"role":"user","content":[{"type":"text","text":"Weather?"}]}]',
          "ai.prompt.tools": ['{"type":"function","name":"weather","parameters":{}}'],
          "ai.response.toolCalls":
            '[{"toolCallId":"c1","toolName":"weather","args":"{\\"city\\":\\"Bonn\\"}"}]',
          "ai.usage.promptTokens": 9,
          "ai.usage.completionTokens": 3,
        },
        { scope, parent: 1 },
      ),
      spanOf(
        3,
        {
          "ai.operationId": "ai.toolCall",
          "ai.toolCall.name": "weather",
          "ai.toolCall.id": "c1",
          "ai.toolCall.args": '{"city":"Bonn"}',
          "ai.toolCall.result": '{"sky":"grey"}',
        },
        { scope, parent: 1 },
      ),
    ]);
    expect(session.session_id).toBe("chat-7");
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "tool.schemas.snapshot: ",
        "user_message: Weather?",
        "assistant_call: openai.chat | gpt-4o | ["weather"] 9+3",
        "tool_call: weather | {"city":"Bonn"}",
        "tool_output: {"sky":"grey"}",
      ]
    `);
    expect(session.totals).toMatchObject({ model_calls: 1, tool_calls: 1, input_tokens: 9 });
  });

  test("OpenLLMetry: numbered prompts and completions, a session among the association properties", () => {
    const session = only([
      spanOf(1, {
        "gen_ai.system": "OpenAI",
        "llm.request.type": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Be brief.",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": "Hi",
        "gen_ai.prompt.1.odd": "kept",
        "gen_ai.completion.0.content": "Hello.",
        "gen_ai.completion.0.finish_reason": "stop",
        "gen_ai.usage.prompt_tokens": "12",
        "gen_ai.usage.completion_tokens": 2,
        "traceloop.association.properties.session_id": "s-1",
        "traceloop.association.properties.plan": "pro",
      }),
    ]);
    expect(session.session_id).toBe("s-1");
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "policy.snapshot: ",
        "user_message: Hi",
        "assistant_call: openai.chat | gpt-4o | Hello. 12+2",
        "assistant_message: Hello.",
      ]
    `);
    const call = session.conversations[0]?.steps.find(({ label }) => label === "assistant_call");
    expect(call?.["attributes"]).toEqual({
      "gen_ai.prompt.1.odd": "kept",
      "traceloop.association.properties.plan": "pro",
    });
  });

  test("Claude Code: turns, requests whose input excludes the cached, tools, approvals", () => {
    const scope = { name: "com.anthropic.claude_code.tracing" };
    const more = (parent: number, name: string) => ({ scope, parent, name });
    const session = only([
      spanOf(
        1,
        { "span.type": "interaction", "session.id": "cc", user_prompt: "Fix it" },
        { scope, name: "claude_code.interaction" },
      ),
      spanOf(
        2,
        {
          "span.type": "llm_request",
          "session.id": "cc",
          "gen_ai.system": "anthropic",
          model: "claude-opus-5",
          "gen_ai.request.model": "claude-opus-5",
          input_tokens: 2,
          output_tokens: 12,
          cache_read_tokens: 100,
          cache_creation_tokens: 7,
          ttft_ms: 900,
          stop_reason: "tool_use",
        },
        more(1, "claude_code.llm_request"),
      ),
      spanOf(
        3,
        {
          "span.type": "tool",
          "session.id": "cc",
          tool_name: "Bash",
          tool_use_id: "toolu_1",
          full_command: "ls",
        },
        more(1, "claude_code.tool"),
      ),
      spanOf(
        4,
        { "span.type": "tool.blocked_on_user", "session.id": "cc", decision: "accept" },
        more(3, "claude_code.tool.blocked_on_user"),
      ),
    ]);
    expect(session.conversations[0]).toMatchObject({ initial_state: "Fix it" });
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "assistant_call: anthropic.chat | claude-opus-5 109+12",
        "tool_call: Bash",
        "approval: claude_code.tool.blocked_on_user",
      ]
    `);
    expect(session.totals).toMatchObject({
      input_tokens: 109,
      cache_read_input_tokens: 100,
      cache_write_input_tokens: 7,
    });
  });

  test("Codex: a turn and the model calls in it, its thread as session", () => {
    const scope = { name: "codex_cli_rs" };
    const session = only([
      spanOf(
        1,
        { "thread.id": "t-1", model: "gpt-5.5", "codex.turn.token_usage.input_tokens": 10 },
        { scope, name: "session_task.turn" },
      ),
      spanOf(
        2,
        {
          "codex.usage.total_tokens": 14,
          "codex.usage.reasoning_output_tokens": 1,
          "gen_ai.usage.input_tokens": 10,
          "gen_ai.usage.output_tokens": 4,
        },
        { scope, parent: 1, name: "handle_responses" },
      ),
    ]);
    expect(session.session_id).toBe("t-1");
    expect(session.totals).toMatchObject({
      model_calls: 1,
      input_tokens: 10,
      reasoning_output_tokens: 1,
    });
  });

  test("Gemini CLI: operations of its own, contents with Gemini's parts", () => {
    const scope = { name: "gemini-cli" };
    const session = only([
      spanOf(
        1,
        {
          "gen_ai.operation.name": "llm_call",
          "gen_ai.conversation.id": "g-1",
          "gen_ai.request.model": "gemini-3-pro",
          "gen_ai.input.messages": '[{"role":"user","parts":[{"text":"Hi"}]}]',
          "gen_ai.output.messages":
            '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello."}]}}]}',
        },
        { scope, name: "llm_call" },
      ),
    ]);
    expect(session.session_id).toBe("g-1");
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "user_message: Hi",
        "assistant_call: chat | gemini-3-pro | Hello.",
        "assistant_message: Hello.",
      ]
    `);
  });

  test("LangSmith: LangChain's messages inside the run's inputs and outputs", () => {
    const session = only([
      spanOf(1, {
        "langsmith.span.kind": "llm",
        "langsmith.metadata.thread_id": "th",
        "gen_ai.system": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.prompt":
          '{"messages":[[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"Hi"}}]]}',
        "gen_ai.completion":
          '{"generations":[[{"text":"Hello.","message":{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"Hello."}}}]]}',
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 2,
      }),
    ]);
    expect(session.session_id).toBe("th");
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "user_message: Hi",
        "assistant_call: openai.chat | gpt-4o | Hello. 3+2",
        "assistant_message: Hello.",
      ]
    `);
  });

  test("the OpenAI Agents SDK through Logfire: agents, functions, handoffs, and no pending spans", () => {
    const scope = { name: "logfire.openai_agents" };
    const of = (template: string, more: Record<string, string>) => ({
      "logfire.msg_template": template,
      "logfire.span_type": "span",
      ...more,
    });
    const events = JSON.stringify([
      { "event.name": "gen_ai.user.message", role: "user", content: "A number" },
      {
        "event.name": "gen_ai.assistant.message",
        role: "assistant",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "random_number", arguments: "{}" } },
        ],
      },
    ]);
    const session = only([
      spanOf(1, of("OpenAI Agents trace: {name}", { name: "Agent workflow", group_id: "null" }), {
        scope,
      }),
      spanOf(2, of("Agent run: {name!r}", { name: "agent1" }), { scope, parent: 1 }),
      spanOf(
        3,
        {
          ...of("Responses API with {gen_ai.request.model!r}", { events }),
          "gen_ai.system": "openai",
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "gpt-4o",
          response_id: "resp_1",
        },
        { scope, parent: 2 },
      ),
      spanOf(4, of("Function: {name}", { name: "random_number", input: "{}", output: "4" }), {
        scope,
        parent: 2,
      }),
      spanOf(
        5,
        of("Handoff: {from_agent} → {to_agent}", { from_agent: "agent1", to_agent: "agent2" }),
        { scope, parent: 2 },
      ),
      spanOf(6, { "logfire.span_type": "pending_span" }, { scope, parent: 5 }),
    ]);
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "agent: span 2",
        "user_message: A number",
        "assistant_call: openai.chat | gpt-4o | ["random_number"]",
        "tool_call: random_number | {}",
        "tool_output: 4",
        "handoff: span 5 | {"from_agent":"agent1","to_agent":"agent2"}",
      ]
    `);
  });

  test("the conventions' first generations: messages as span events, older names, numbers as text", () => {
    const event = (name: string, attributes: SpanRecord["attributes"]) => ({
      name,
      timeUnixNano: "0",
      attributes,
    });
    const session = only([
      spanOf(
        1,
        {
          "gen_ai.system": "az.ai.openai",
          "gen_ai.request.model": "gpt-4",
          "gen_ai.usage.prompt_tokens": 5,
          "gen_ai.usage.completion_tokens": "6",
        },
        {
          events: [
            event("gen_ai.system.message", { content: "Be brief." }),
            event("gen_ai.user.message", { content: "42" }),
            event("gen_ai.choice", {
              index: 0,
              finish_reason: "stop",
              message: '{"role":"assistant","content":"Yes."}',
            }),
          ],
        },
      ),
      spanOf(
        2,
        {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.input.messages": '[{"role":"user","content":"And now?"}]',
          "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","text":"No."}]}]',
        },
        {},
      ),
    ]);
    expect(linesOf(session)).toMatchInlineSnapshot(`
      [
        "policy.snapshot: ",
        "user_message: 42",
        "assistant_call: azure.ai.openai.chat | gpt-4 | Yes. 5+6",
        "assistant_message: Yes.",
        "user_message: And now?",
        "assistant_call: openai.chat | No.",
        "assistant_message: No.",
      ]
    `);
  });
});

describe("one call told by two layers", () => {
  const call = (id: string, tokens: number) => ({
    "gen_ai.operation.name": "chat",
    "gen_ai.response.id": id,
    "gen_ai.usage.input_tokens": tokens,
  });
  const total = (records: readonly SpanRecord[]) => {
    const { model_calls, input_tokens } = only(records).totals ?? { model_calls: 0 };
    return [model_calls, input_tokens];
  };

  test("one inside the other, whatever stands between, is one call", () => {
    const outer = spanOf(1, { "openinference.span.kind": "LLM", "llm.token_count.prompt": 8 });
    const http = spanOf(2, { "http.request.method": "POST" }, { parent: 1 });
    expect(total([outer, http, spanOf(3, call("r", 8), { parent: 2 })])).toEqual([1, 8]);
  });

  test("beside one another they are one call when the answer is the same", () => {
    const root = spanOf(1, { "gen_ai.operation.name": "invoke_agent" });
    const other = { parent: 1, scope: { name: "another" } };
    const [one, two] = [spanOf(2, call("r", 8), { parent: 1 }), spanOf(3, call("r", 8), other)];
    expect(total([root, one, two])).toEqual([1, 8]);
    expect(total([root, one, spanOf(3, call("s", 8), other)])).toEqual([2, 16]);
  });

  test("a call that an agent or a tool inside a call makes is another", () => {
    const outer = spanOf(1, call("a", 8));
    const tool = spanOf(2, { "gen_ai.operation.name": "execute_tool" }, { parent: 1 });
    expect(total([outer, tool, spanOf(3, call("b", 5), { parent: 2 })])).toEqual([2, 13]);
  });

  test("the sum that a chain repeats of its calls is not added", () => {
    const root = spanOf(1, {});
    const chain = spanOf(
      2,
      { "langfuse.observation.type": "tool", "gen_ai.usage.input_tokens": 8 },
      { parent: 1 },
    );
    expect(total([root, chain, spanOf(3, call("a", 8), { parent: 2 })])).toEqual([1, 8]);
  });
});

test("docs/dialects.md is what the tables say (docs:dialects writes it)", () => {
  const page = readFileSync(new URL("../docs/dialects.md", import.meta.url), "utf8");
  expect(page.slice(page.indexOf("<!-- tables -->\n") + 16)).toBe(dialectTables());
});

describe("any input", () => {
  const name = fc.oneof(
    fc.constantFrom(
      ...SPAN_DIALECTS.flatMap(({ signs, rows }) => [
        ...signs,
        ...rows.flatMap(({ from }) => from),
      ]),
      "__proto__",
      "constructor.prototype.polluted",
      "llm.input_messages.__proto__.message.role",
      "llm.input_messages.0.__proto__.polluted",
      "llm.input_messages.999999.message.role",
      "gen_ai.prompt.0.tool_calls.0.name",
    ),
    fc
      .tuple(fc.constantFrom("llm.input_messages", "gen_ai.prompt"), fc.nat(3), fc.string())
      .map((part) => part.join(".")),
    fc.string(),
  );
  const value = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.array(fc.string()),
    fc.json(),
    fc.json().map((text) => `[${text},{"role":"user","content":${text}}]`),
  );
  const attributes = fc
    .array(fc.tuple(name, value), { maxLength: 12 })
    .map((entries) => Object.fromEntries(entries));

  test("gives a span, never an error, and reaches no prototype", () => {
    fc.assert(
      fc.property(attributes, fc.constantFrom("pydantic-ai", "gemini-cli", "x"), (given, scope) => {
        const record = spanOf(1, given, { scope: { name: scope } });
        const neutral = neutralSpan(record);
        expect(JSON.stringify(neutralSpan(record))).toBe(JSON.stringify(neutral));
        sessionIdOf(record);
        withoutContent(record);
        only([record]);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test("what no table knows stays, and content goes where it is not wanted", () => {
    const record = spanOf(1, {
      "openinference.span.kind": "LLM",
      "llm.model_name": "m",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "secret",
      "input.value": "secret",
      "customer.tier": "gold",
    });
    expect(neutralSpan(record).attributes).toEqual({
      "customer.tier": "gold",
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"secret"}]}]',
    });
    expect(Object.keys(withoutContent(record).attributes)).toEqual([
      "openinference.span.kind",
      "llm.model_name",
      "customer.tier",
    ]);
  });
});
