import { loadExchanges } from "@thoughtflow/testkit";
import { describe, expect, it } from "vitest";
import { structureOf } from "./message-structure.ts";
import { openaiResponses } from "./openai-responses.ts";

describe("the responses dialect", () => {
  it("reads every kind of item", () => {
    const items = [
      { role: "user", content: "hello" },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "look" },
          { type: "input_image", image_url: "https://x.test/a.png" },
          { type: "input_file", file_url: "https://x.test/a.pdf", filename: "a.pdf" },
          { type: "input_image", file_id: "file_1" },
        ],
      },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "so" }],
        encrypted_content: "gAAAA",
      },
      { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "gAAAA" },
      { type: "function_call", call_id: "call_1", name: "add", arguments: '{"a":1}', id: "fc_1" },
      { type: "function_call_output", call_id: "call_1", output: "2" },
      { type: "custom_tool_call", call_id: "call_2", name: "run", input: "{}" },
      {
        type: "custom_tool_call_output",
        call_id: "call_2",
        output: [{ type: "input_text", text: "done" }],
      },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { query: "q" } },
      {
        type: "mcp_call",
        id: "mcp_1",
        name: "ask",
        server_label: "wiki",
        arguments: '{"q":1}',
        output: "yes",
        error: null,
      },
      { type: "program", id: "prog_1", call_id: "c1", code: "1+1" },
      { type: "program_output", id: "po_1", call_id: "c1", result: "2", status: "completed" },
      { type: "mcp_approval_response", approve: true },
      { type: "item_reference", id: "msg_1" },
      { type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" },
      { type: "from_tomorrow", id: "x_1", thing: 1 },
    ];
    const message = (role: string, part: object) => ({ role, parts: [part] });
    expect(items.map(openaiResponses.messageOf)).toEqual([
      message("user", { type: "text", content: "hello" }),
      {
        role: "user",
        parts: [
          { type: "text", content: "look" },
          { type: "uri", modality: "image", uri: "https://x.test/a.png" },
          { type: "uri", modality: "document", filename: "a.pdf", uri: "https://x.test/a.pdf" },
          { type: "file", modality: "image", file_id: "file_1" },
        ],
      },
      message("assistant", { type: "reasoning", content: "so" }),
      undefined,
      message("assistant", { type: "tool_call", id: "call_1", name: "add", arguments: { a: 1 } }),
      message("tool", { type: "tool_call_response", id: "call_1", response: "2" }),
      message("assistant", { type: "tool_call", id: "call_2", name: "run", arguments: "{}" }),
      message("tool", { type: "tool_call_response", id: "call_2", response: "done" }),
      message("assistant", {
        type: "server_tool_call",
        id: "ws_1",
        name: "web_search",
        server_tool_call: { type: "web_search", action: { query: "q" } },
      }),
      {
        role: "assistant",
        parts: [
          {
            type: "server_tool_call",
            id: "mcp_1",
            name: "ask",
            server_tool_call: { type: "mcp", server_label: "wiki", arguments: { q: 1 } },
          },
          {
            type: "server_tool_call_response",
            id: "mcp_1",
            server_tool_call_response: { type: "mcp", output: "yes" },
          },
        ],
      },
      message("assistant", {
        type: "server_tool_call",
        id: "c1",
        name: "program",
        server_tool_call: { type: "program", code: "1+1" },
      }),
      message("assistant", {
        type: "server_tool_call_response",
        id: "c1",
        server_tool_call_response: { type: "program", result: "2" },
      }),
      message("user", { type: "mcp_approval_response", approve: true }),
      message("assistant", { type: "item_reference", id: "msg_1" }),
      message("assistant", { type: "compaction", id: "cmp_1" }),
      message("assistant", { type: "from_tomorrow", thing: 1 }),
    ]);
  });

  it.each([
    [{ status: "completed", output: [{ type: "message" }] }, ["stop"], undefined],
    [
      { status: "completed", output: [{ type: "function_call", call_id: "c" }] },
      ["tool_call"],
      undefined,
    ],
    [
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      ["length", "given as", "max_output_tokens"],
      { type: "max_output_tokens" },
    ],
    [
      { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      ["content_filter"],
      { type: "content_filter" },
    ],
    [
      { status: "failed", error: { code: "server_error", message: "why" } },
      ["error"],
      { type: "server_error", message: "why" },
    ],
    [{ status: "completed", error: {} }, ["stop"], undefined],
    [{ status: "failed", error: {} }, ["error"], { type: "failed" }],
    [{ status: "in_progress" }, undefined, undefined],
  ])("reads %o as finished by %o, failed by %o", (response, reasons, failure) => {
    const { "gen_ai.response.finish_reasons": told, "thoughtflow.given_finish_reasons": given } =
      openaiResponses.responseAttributes(response);
    const all = given === undefined ? told : [told, "given as", given].flat();
    expect([all, openaiResponses.failureOf(response)]).toEqual([reasons, failure]);
  });

  it("waits for no output of a tool that the provider ran", () => {
    const call = { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } };
    const output = { type: "shell_call_output", call_id: "c1", output: [{ stdout: "a" }] };
    const reasonOf = (items: object[]) =>
      openaiResponses.responseAttributes({ status: "completed", output: items })[
        "gen_ai.response.finish_reasons"
      ];
    expect([reasonOf([call]), reasonOf([call, output])]).toEqual([["tool_call"], ["stop"]]);
  });

  it("counts cached, written and reasoning tokens inside input and output", () => {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 17,
    };
    expect(openaiResponses.responseAttributes({ usage })).toEqual({
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 7,
      "gen_ai.usage.cache_read.input_tokens": 4,
      "gen_ai.usage.cache_write.input_tokens": 2,
      "gen_ai.usage.reasoning.output_tokens": 5,
    });
  });

  it("makes a failed response of a stream that ends in an error event", () => {
    const fold = openaiResponses.createFold();
    fold.add({ type: "response.created", response: { id: "resp_1", status: "in_progress" } });
    fold.add({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "a" });
    fold.add({ type: "error", code: "rate_limit_exceeded", message: "slow down" });
    const response = fold.response();
    expect(openaiResponses.failureOf(response)).toEqual({
      type: "rate_limit_exceeded",
      message: "slow down",
    });
    expect(openaiResponses.outputMessages(response)).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "a" }] },
    ]);
  });

  it("takes instructions apart from the history, and a text input as the user's message", () => {
    const request = { instructions: "be kind", input: "hello" };
    expect(openaiResponses.systemInstructions(request)).toEqual([
      { type: "text", content: "be kind" },
    ]);
    expect(openaiResponses.inputItems(request).map(openaiResponses.messageOf)).toEqual([
      { role: "user", parts: [{ type: "text", content: "hello" }] },
    ]);
  });

  it("names every offered tool", () => {
    const [exchange] = loadExchanges("pydantic-ai-openai/responses-mcp-two-runs");
    const tools = [
      ...openaiResponses.toolDefinitions(exchange?.request.body),
      ...openaiResponses.toolDefinitions({ tools: [{ type: "web_search" }] }),
      ...openaiResponses.toolDefinitions({
        tools: [{ type: "function", function: { name: "add", parameters: {} } }],
        functions: [{ name: "old" }],
      }),
    ];
    expect(tools.map((tool) => (tool as { name: string }).name)).toEqual([
      "deepwiki",
      "web_search",
      "add",
      "old",
    ]);
  });
});

describe("the structure of a message", () => {
  it("holds role, part types, ids, names and lengths, and no text", () => {
    expect(
      structureOf({
        role: "assistant",
        parts: [
          { type: "text", content: "secret" },
          { type: "tool_call", id: "call_1", name: "add", arguments: { a: "secret" } },
          { type: "tool_call_response", id: "call_1", response: "secret" },
          { type: "tool_call", id: "call_2", name: "odd", arguments: 1n },
          { type: "item_reference", id: "msg_1" },
        ],
      }),
    ).toEqual({
      role: "assistant",
      parts: [
        { type: "text", length: 6 },
        { type: "tool_call", id: "call_1", name: "add", length: 14 },
        { type: "tool_call_response", id: "call_1", length: 6 },
        { type: "tool_call", id: "call_2", name: "odd" },
        { type: "item_reference", id: "msg_1" },
      ],
    });
  });
});
