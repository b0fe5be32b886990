import type { SpanRecord } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { only } from "./dialects/only-session.ts";
import { linesOf, spanOf } from "./dialects/span-of.ts";

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

  test.each([
    ["all that was written", { cache_creation: 3_000 }, "0.00375"],
    [
      "for how long, and of all 0",
      { cache_creation: 0, ephemeral_5m_input_tokens: 2_000, ephemeral_1h_input_tokens: 1_000 },
      "0.0045",
    ],
  ])("LangSmith: LangChain's counts of Anthropic's cache say %s", (_, details, total) => {
    const usage = { input_tokens: 3_000, output_tokens: 0, input_token_details: details };
    const kwargs = { content: "Hello.", usage_metadata: usage };
    const calls = [
      { "gen_ai.completion": JSON.stringify({ generations: [[{ message: { kwargs } }]] }) },
      { "gen_ai.usage.input_token_details": JSON.stringify(details) },
    ];
    for (const told of calls) {
      const session = only([
        spanOf(1, {
          "langsmith.span.kind": "llm",
          "gen_ai.system": "anthropic",
          "gen_ai.request.model": "claude-haiku-4-5",
          "gen_ai.usage.input_tokens": 3_000,
          "gen_ai.usage.output_tokens": 0,
          ...told,
        }),
      ]);
      // A million written to the cache costs 1.25 dollars, for an hour 2.
      expect(session.totals).toMatchObject({
        input_tokens: 3_000,
        cache_write_input_tokens: 3_000,
        cost: { total },
      });
    }
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
