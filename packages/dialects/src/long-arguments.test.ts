import { expect, test } from "vitest";
import type { Dialect } from "./dialect.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

const called = { id: "call_1", type: "function", function: { name: "write", arguments: "" } };
const chatChunk = (delta: object) => ({ id: "c", choices: [{ index: 0, delta }] });
const item = { type: "function_call", call_id: "call_1", name: "write", arguments: "" };

const STREAMS: readonly (readonly [string, Dialect, object, (args: string) => object])[] = [
  [
    "chat",
    openaiChat,
    chatChunk({ tool_calls: [{ index: 0, ...called }] }),
    (args) => chatChunk({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
  ],
  [
    "responses",
    openaiResponses,
    { type: "response.output_item.added", output_index: 0, item },
    (delta) => ({ type: "response.function_call_arguments.delta", output_index: 0, delta }),
  ],
];

test.each(STREAMS)(
  "%s: of very long arguments not each closing brace is a reason to look",
  (_, dialect, first, more) => {
    let looks = 0;
    const fold = dialect.createFold(() => looks++);
    fold.add(first);
    fold.add(more('{"content":"'));
    for (let n = 0; n < 100; n++) fold.add(more("{}"));
    const early = looks;
    expect(early).toBeGreaterThanOrEqual(100);
    fold.add(more("x".repeat(300_000)));
    for (let n = 0; n < 100; n++) fold.add(more("{}"));
    expect(looks).toBe(early);
    fold.add(more('"}'));
    const [part] = dialect.outputMessages(fold.response())[0]?.parts ?? [];
    const content = `${"{}".repeat(100)}${"x".repeat(300_000)}${"{}".repeat(100)}`;
    expect(part).toMatchObject({ type: "tool_call", arguments: { content } });
  },
);
