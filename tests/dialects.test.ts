import { readdirSync, readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import {
  createNeutralSpan,
  createReadNames,
  neutralSpan,
  SPAN_DIALECTS,
  sessionIdOf,
  withoutContent,
} from "@thoughtflow/dialects/spans";
import { decodeJsonRequest } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { INFERENCE_OPERATIONS } from "@thoughtflow/semconv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exported, fixture, only } from "./dialects/only-session.ts";
import { compareOpinions } from "./dialects/second-opinion.ts";
import { linesOf, spanOf } from "./dialects/span-of.ts";
import { dialectTables } from "./docs/dialects-page.ts";

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

  test.each(["koog", "agno", "pydantic-ai"])(
    "%s: the names of attributes that are read for some attributes are all that these need in a model call",
    (name) => {
      const isWanted = (one: string) => /^gen_ai\.(?:usage|request|provider|operation)\./.test(one);
      const [some, isRead] = [createNeutralSpan(isWanted), createReadNames(isWanted)];
      for (const record of exported(name)) {
        const attributes = Object.fromEntries(
          Object.entries(record.attributes).filter(([one]) => isRead(one)),
        );
        const wantedOf = (span: SpanRecord) =>
          Object.fromEntries(
            Object.entries(some(span).attributes).filter(([one]) => isWanted(one)),
          );
        const all = wantedOf(record);
        if (!INFERENCE_OPERATIONS.has(all["gen_ai.operation.name"])) continue;
        expect(wantedOf({ ...record, attributes })).toEqual(all);
      }
    },
  );

  test("a span in the conventions' words is not read for another one: once more it stays as it is, and its tokens do whatever else is there", () => {
    const emitters = readdirSync(new URL("./dialects/fixtures/emitters", import.meta.url));
    const records = [
      ...["koog", "agno", "pydantic-ai"].flatMap(exported),
      ...[...emitters.map((name) => `emitters/${name}`), "langchain-rag.json"].flatMap(
        (name) => decodeJsonRequest(fixture(name)).records,
      ),
    ];
    for (const record of records) {
      const neutral = neutralSpan(record);
      expect(neutralSpan(structuredClone(neutral))).toEqual(neutral);
    }
    const tokensOf = ({ attributes }: SpanRecord) =>
      Object.fromEntries(
        Object.entries(attributes).filter(([name]) => name.startsWith("gen_ai.usage.")),
      );
    fc.assert(
      fc.property(fc.constantFrom(...records), fc.array(fc.boolean()), (record, isLeftOut) => {
        const attributes = Object.fromEntries(
          Object.entries(record.attributes).filter((_, n) => isLeftOut[n] !== true),
        );
        const neutral = neutralSpan({ ...record, attributes });
        expect(tokensOf(neutralSpan(neutral))).toEqual(tokensOf(neutral));
      }),
      { numRuns: 1000 },
    );
  });

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
