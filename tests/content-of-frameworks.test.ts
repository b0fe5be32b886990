import { neutralSpan } from "@thoughtflow/dialects/spans";
import type { Attributes } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { spanOf } from "./dialects/span-of.ts";

/** The conventions' attributes of a span that a framework's instrumentation sent; objects are sent as JSON. */
function told(scope: string, attributes: Readonly<Record<string, unknown>>, name = "chat") {
  const sent = Object.entries(attributes).map(([key, value]) => [
    key,
    typeof value === "object" ? JSON.stringify(value) : value,
  ]);
  const record = spanOf(1, Object.fromEntries(sent) as Attributes, {
    scope: { name: scope },
    name,
  });
  const { attributes: plain, content } = neutralSpan(record);
  const all: Readonly<Record<string, unknown>> = { ...plain, ...content };
  return {
    ...all,
    input: parsed(all["gen_ai.input.messages"]),
    output: parsed(all["gen_ai.output.messages"]),
    arguments: parsed(all["gen_ai.tool.call.arguments"]),
    result: parsed(all["gen_ai.tool.call.result"]),
  } as Readonly<Record<string, unknown>>;
}

function parsed(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(String(value));
}

const text = (content: string) => ({ type: "text", content });
const message = (role: string, ...parts: readonly object[]) => ({ role, parts });

const langfuse = (type: string, attributes: Readonly<Record<string, unknown>>, name?: string) =>
  told(
    "langfuse-sdk",
    {
      "langfuse.observation.type": type,
      ...Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [`langfuse.observation.${key}`, value]),
      ),
    },
    name,
  );

describe("OpenAI Agents SDK", () => {
  const answered = (content: string) =>
    told("opentelemetry.instrumentation.openai_agents", {
      "gen_ai.operation.name": "chat",
      "gen_ai.output.messages": [message("assistant", text(content))],
    })["output"];

  test.each([
    "ResponseEntity(status=404, body='not found')",
    "ResponseFunctionToolCall(status=404)",
    "{'content': 'the answer', 'role': 'editor', 'score': 9}",
    "{'annotations': [], 'text': 'a', 'type': 'invoice'}",
  ])("an answer that only looks like one of its objects stays a text: %s", (content) => {
    expect(answered(content)).toEqual([message("assistant", text(content))]);
  });

  test("of many long objects the first are read, and the others stay texts", () => {
    const long = `{'content': '${"a".repeat(100_000)}', 'role': 'assistant'}`;
    const { output } = told("opentelemetry.instrumentation.openai_agents", {
      "gen_ai.operation.name": "chat",
      "gen_ai.output.messages": [message("assistant", ...[1, 2, 3].map(() => text(long)))],
    });
    expect(output).toEqual([message("assistant", text("a".repeat(200_000) + long))]);
  });

  test("its objects are read", () => {
    expect(answered("{'content': 'the answer', 'refusal': None, 'role': 'assistant'}")).toEqual([
      message("assistant", text("the answer")),
    ]);
    expect(answered("{'annotations': [], 'text': 'a', 'type': 'output_text'}")).toEqual([
      message("assistant", text("a")),
    ]);
  });
});

test("what a tool of BeeAI was given stands beside its options, and its error is no tool", () => {
  const beeAi = (name: string, given: object) =>
    told(
      "openinference.instrumentation.beeai",
      { "openinference.span.kind": "TOOL", "tool.name": "get_weather", "input.value": given },
      name,
    );
  const given = { input: { city: "Paris" }, options: null };
  expect(beeAi("get_weather", given)["arguments"]).toEqual({ city: "Paris" });
  expect(beeAi("get_weather", { city: "Paris" })["arguments"]).toEqual({ city: "Paris" });
  expect(beeAi("error", { ...given, error: "Tool Error" })).toMatchObject({
    "gen_ai.operation.name": "agent_step",
  });
});

describe("OpenLIT", () => {
  const openLit = (attributes: Attributes) =>
    told("openlit.otel.tracing", { "gen_ai.operation.name": "chat", ...attributes });

  test("a conversation with several calls of tools is told once", () => {
    const call = (id: string) =>
      `{'role': 'assistant', 'tool_calls': [{'id': '${id}', 'function': {'arguments': '{}', 'name': 'look'}, 'type': 'function'}]}, {'role': 'tool', 'tool_call_id': '${id}', 'content': 'seen ${id}'}`;
    const list = `[{'role': 'system', 'content': 'Be brief.'}, {'role': 'user', 'content': [{'type': 'text', 'text': 'What is it?'}]}, ${call("a")}, ${call("b")}]`;
    const { input } = openLit({
      "gen_ai.prompt": `system: Be brief.\nuser: text: What is it?\nuser: ${list}\ntool: seen a\nuser: ${list}\ntool: seen b`,
    });
    expect((input as { role: string }[]).map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });

  test.each(["[{'role': 'admin', 'grade': 1}]", "[{'role': 'user', 'content': 'hello'}]"])(
    "a list that somebody pasted is what that one said: %s",
    (list) => {
      const { input } = openLit({
        "gen_ai.prompt": `user: What does this mean?\nassistant: Show me.\nuser: ${list}`,
      });
      expect(input).toEqual([
        message("user", text("What does this mean?")),
        message("assistant", text("Show me.")),
        message("user", text(list)),
      ]);
    },
  );

  test("calls without arguments stand beside calls with some", () => {
    const { output } = openLit({
      "gen_ai.completion": "",
      "gen_ai.tool.name": "look, wait",
      "gen_ai.tool.call.id": "a, b",
      "gen_ai.tool.args": '{"a":1}, ',
    });
    expect(output).toMatchObject([
      {
        parts: [
          { name: "look", id: "a", arguments: { a: 1 } },
          { name: "wait", id: "b" },
        ],
      },
    ]);
  });
});

describe("structured content", () => {
  test.each([
    { reasoning: "because", answer: "42" },
    { tool_call: null, answer: "x" },
    { toolRequest: "please", note: "y" },
    { toolResult: { rows: 2 }, note: "y" },
  ])("is kept whole, whatever its members are called: %j", (content) => {
    const { output } = langfuse("generation", { output: { role: "assistant", content } });
    expect(output).toEqual([message("assistant", { ...content, type: "generic" })]);
  });

  test("a tool that failed has failed", () => {
    const given = [
      { tool_call_result: { result: "boom", error: true, origin: { id: "a" } } },
      { type: "tool_result", tool_use_id: "a", content: "boom", is_error: true },
      { toolResult: { toolUseId: "a", content: "boom", status: "error" } },
    ];
    for (const part of given) {
      const { input } = langfuse("generation", { input: [{ role: "tool", content: [part] }] });
      expect(input).toEqual([
        message("tool", { type: "tool_call_response", id: "a", response: "boom", is_error: true }),
      ]);
    }
  });
});

describe("alternatives", () => {
  const both = [message("assistant", text("A")), message("assistant", text("B"))];

  test.each([
    ["litellm", "gen_ai.output.messages", both],
    ["haystack", "haystack.component.output", { replies: ["A", "B"] }],
    [
      "@arizeai/openinference-instrumentation-langchain",
      "output.value",
      { generations: [[{ text: "A" }, { text: "B" }]] },
    ],
  ])("of %s stay several answers", (scope, name, sent) => {
    const kinds = {
      "gen_ai.operation.name": "chat",
      "openinference.span.kind": "LLM",
      "haystack.component.type": "OpenAIGenerator",
    };
    expect(told(scope, { ...kinds, [name]: sent })["output"]).toEqual(both);
  });
});

describe("LiteLLM", () => {
  test("a call that the message has, too, is one", () => {
    const called = message("assistant", {
      type: "tool_call",
      id: "a",
      name: "look",
      arguments: {},
    });
    const { output } = told("litellm", {
      "gen_ai.operation.name": "chat",
      "gen_ai.output.messages": [called],
      "gen_ai.completion.0.function_call.name": "look",
      "gen_ai.completion.0.function_call.arguments": "{}",
    });
    expect(output).toEqual([called]);
  });
});

describe("Haystack", () => {
  test("instructions beside a prompt are the system's", () => {
    const { input } = told("haystack", {
      "haystack.component.type": "OpenAIGenerator",
      "haystack.component.input": { prompt: "hi", system_prompt: "Be brief" },
    });
    expect(input).toEqual([message("system", text("Be brief")), message("user", text("hi"))]);
  });

  test("what makes images is no chat", () => {
    const { "gen_ai.operation.name": operation } = told("haystack", {
      "haystack.component.type": "DALLEImageGenerator",
    });
    expect(operation).not.toBe("chat");
  });
});

describe("Genkit", () => {
  const generated = (attributes: Readonly<Record<string, unknown>>) =>
    told("genkit-tracer", { "genkit:metadata:subtype": "model", ...attributes });

  test.each([
    [{ inputTokens: 10, outputTokens: 5, thoughtsTokens: 100, totalTokens: 115 }, 105],
    [{ inputTokens: 10, outputTokens: 105, thoughtsTokens: 100, totalTokens: 115 }, 105],
    [{ inputTokens: 10, outputTokens: 5 }, 5],
  ])("thoughts are output: %j", (usage, tokens) => {
    const { "gen_ai.usage.output_tokens": output } = generated({ "genkit:output": { usage } });
    expect(output).toBe(tokens);
  });

  test("a name that ends or begins with a slash has one half", () => {
    const half = generated({ "genkit:name": "openai/" });
    expect(half["gen_ai.request.model"]).toBe("openai");
    const other = generated({ "genkit:name": "/background-model/veo/x" });
    expect(other).not.toHaveProperty(["gen_ai.provider.name"]);
  });
});

describe("Langfuse", () => {
  test("metadata is the user's own, but for that of a Response", () => {
    const metadata = {
      "metadata.instructions": "ticket 5",
      "metadata.tools": ["search", "calc"],
      "metadata.previous_response_id": "x",
    };
    const own = langfuse("generation", { ...metadata, "metadata.status": "open" });
    expect(own).not.toHaveProperty(["gen_ai.system_instructions"]);
    expect(own).not.toHaveProperty(["gen_ai.tool.definitions"]);
    const response = langfuse("generation", {
      ...metadata,
      "metadata.status": "completed",
      "metadata.metadata": {},
    });
    expect(response["gen_ai.system_instructions"]).toBe('"ticket 5"');
  });

  test("a role is a tool's name only where the tool was called", () => {
    const more = { additional_kwargs: {} };
    const call = { name: "human", args: {}, id: "a", type: "tool_call" };
    const { input } = langfuse("generation", {
      input: [
        { role: "critic", content: "I disagree", ...more },
        { role: "assistant", content: "", tool_calls: [call] },
        { role: "human", content: "yes", ...more },
      ],
    });
    expect(input).toMatchObject([
      message("critic", text("I disagree")),
      { role: "assistant" },
      message("tool", { type: "tool_call_response", response: "yes" }),
    ]);
  });

  test.each([
    [{ prompt_tokens: 110, completion_tokens: 5, total_tokens: 115 }, 110],
    [{ input: 110, output: 5, total_tokens: 115 }, 110],
    [{ input: 110, output: 5, total: 115 }, 110],
    [{ input: 10, output: 5, total: 115 }, 110],
    [{ input_tokens: 10, output_tokens: 5 }, 110],
  ])("cached tokens are counted once: %j", (usage, tokens) => {
    const details = { ...usage, cache_read_input_tokens: 100 };
    const { "gen_ai.usage.input_tokens": input } = langfuse("generation", {
      usage_details: details,
    });
    expect(input).toBe(tokens);
  });

  test.each([
    { command: "jq", args: ['{"a":1}'] },
    { args: [], kwargs: { city: "Paris" }, mode: "fast" },
    { ticket: { type: "bug", description: "it crashes" } },
  ])("a tool's arguments are whole: %j", (input) => {
    expect(langfuse("tool", { input })["arguments"]).toEqual(input);
  });

  test("a tool's result is whole, unless it is LangChain's message of one", () => {
    const made = { type: "tool", content: "made", id: 7, url: "https://example.com" };
    expect(langfuse("tool", { output: made })["result"]).toEqual(made);
    const { result, "gen_ai.tool.call.id": id } = langfuse("tool", {
      output: { type: "tool", content: "made", tool_call_id: "a" },
    });
    expect([result, id]).toEqual(["made", "a"]);
  });
});
