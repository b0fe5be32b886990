import { createHash } from "node:crypto";
import { openaiChat, openaiResponses } from "@thoughtflow/dialects";
import type { PromptMakeup } from "@thoughtflow/semconv";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelCallContent } from "./content.ts";
import { contentAttributesOf } from "./content-attributes.ts";
import { composePrompt } from "./index.ts";
import { expectPrompts } from "./internal.ts";

/** What a model call with this request says of its prompt. */
function makeupOf(request: object, dialect: ModelCallContent["dialect"] = openaiChat) {
  const json = contentAttributesOf({ dialect, request })["thoughtflow.prompt"];
  return json === undefined ? undefined : (JSON.parse(String(json)) as PromptMakeup);
}

const asks = (content: string, ...more: object[]) =>
  makeupOf({ messages: [{ role: "user", content }, ...more] });

/** Parts as `type: text`, those beside the prompt with `+`. */
function told(makeup: PromptMakeup | undefined): string[] | undefined {
  return makeup?.parts.map(({ type, start, end, value }) =>
    start === undefined
      ? `${type} + ${value}`
      : `${type}: ${makeup.final_prompt.slice(start, end)}`,
  );
}

test("without anybody who traces, a prompt is composed and forgotten", () => {
  const prompt = composePrompt([
    { type: "personality", value: "You are kind, and nobody watches." },
  ]);
  expect(prompt).toBe("You are kind, and nobody watches.");
  expect(asks(prompt)).toBeUndefined();
  expectPrompts();
  expect(asks(prompt)).toBeUndefined();
});

test("a call with a composed text says what each stretch of it is", () => {
  const prompt = composePrompt(
    [
      { type: "channel_preamble", value: "Plain text, no Markdown.", id: "snp_channel_1" },
      { type: "memory", value: "" },
      { type: "user_instruction", value: "Wie spät ist es? 🕗", version: "3" },
    ],
    { beside: [{ type: "tool_schemas_snapshot", value: "tools:3" }] },
  );
  const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
  expect(asks(prompt)).toEqual({
    final_prompt: "Plain text, no Markdown.\nWie spät ist es? 🕗",
    messages: [{ role: "user", start: 0, end: 44 }],
    parts: [
      {
        type: "channel_preamble",
        id: "snp_channel_1",
        hash: hash("Plain text, no Markdown."),
        start: 0,
        end: 24,
      },
      {
        type: "user_instruction",
        version: "3",
        hash: hash("Wie spät ist es? 🕗"),
        start: 25,
        end: 44,
      },
      { type: "tool_schemas_snapshot", hash: hash("tools:3"), value: "tools:3" },
    ],
  });
});

test("messages are composed by role, for chat and responses alike", () => {
  const messages = composePrompt(
    [
      { type: "personality", value: "You are a clock with manners." },
      { type: "context_preamble", value: "It is eight." },
      { type: "user_instruction", value: "What time is it?" },
    ],
    { as: "messages", separator: "\n\n" },
  );
  expect(messages).toEqual([
    { role: "system", content: "You are a clock with manners.\n\nIt is eight." },
    { role: "user", content: "What time is it?" },
  ]);
  const parts = [
    "personality: You are a clock with manners.",
    "context_preamble: It is eight.",
    "user_instruction: What time is it?",
  ];
  expect(told(makeupOf({ messages }))).toEqual(parts);
  expect(told(makeupOf({ input: messages }, openaiResponses))).toEqual(parts);
  expect(told(makeupOf({ messages: structuredClone(messages) }))).toEqual(parts);
  const [system, user] = messages;
  expect(
    told(makeupOf({ instructions: system?.content, input: user?.content }, openaiResponses)),
  ).toEqual(parts);
});

test("what the program adds is nobody's, before, behind and between", () => {
  const prompt = composePrompt([
    { type: "personality", value: "You are brief and kind." },
    { type: "retrieved", value: "Canberra is the capital." },
  ]);
  expect(told(asks(`Note.\n${prompt}\nThanks!`))).toEqual([
    "unattributed: Note.\n",
    "personality: You are brief and kind.",
    "retrieved: Canberra is the capital.",
    "unattributed: \nThanks!",
  ]);
  expect(told(asks(prompt.replace("\n", "\nToday is Monday.\n")))).toEqual([
    "personality: You are brief and kind.",
    "unattributed: \nToday is Monday.\n",
    "retrieved: Canberra is the capital.",
  ]);
  expect(told(asks("A question of its own."))).toBeUndefined();
});

test("the prompt is instructions and what was said last; the history before was earlier prompts", () => {
  const system = composePrompt([{ type: "policy", value: "Never guess a location, ask." }]);
  const messages = [
    { role: "system", content: system },
    { role: "user", content: "hi" },
    { role: "assistant", content: "Hello." },
    { role: "user", content: "weather?" },
    { role: "assistant", tool_calls: [{ id: "c1", function: { name: "w", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "c1", content: "rain" },
  ];
  expect(told(makeupOf({ messages }))).toEqual([
    "policy: Never guess a location, ask.",
    "unattributed: weather?",
  ]);
});

test("ranges are those of the redacted prompt", () => {
  const key = `sk-proj-${"Ab1".repeat(16)}`;
  const prompt = composePrompt([
    { type: "context_preamble", value: `The key is ${key}, keep it.` },
    { type: "user_instruction", value: "Deploy the service." },
  ]);
  const makeup = asks(prompt);
  expect(JSON.stringify(makeup)).not.toContain(key);
  expect(told(makeup)?.[1]).toBe("user_instruction: Deploy the service.");
  expect(told(makeup)?.[0]).toMatch(/^context_preamble: The key is \[redacted: .+\], keep it\.$/);
});

test("a secret that goes over the end of a part is masked, and only what is sure has a place", () => {
  const [head, tail] = [`sk-proj-${"Ab1".repeat(8)}`, "Cd2".repeat(8)];
  const prompt = composePrompt(
    [
      { type: "policy", value: "Say nothing of keys." },
      { type: "a", value: `key ${head}` },
      { type: "b", value: `${tail} end.` },
      { type: "user_instruction", value: " Deploy the service." },
    ],
    { separator: "" },
  );
  const makeup = asks(prompt);
  expect(JSON.stringify(makeup)).not.toContain(tail);
  const shown = told(makeup) ?? [];
  expect(shown.map((one) => one.slice(0, 20))).toEqual([
    "policy: Say nothing ",
    "a: key [redacted: ap",
    "unattributed:  end.",
    "user_instruction:  D",
  ]);
});

const words = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });

test("whatever is composed and added, the ranges give the prompt back and split no character", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ type: fc.constantFrom("a", "b"), value: words }), { minLength: 1 }),
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.string({ unit: "binary", maxLength: 9 }),
      fc.string({ unit: "binary", maxLength: 9 }),
      (parts, separator, before, behind) => {
        const prompt = composePrompt(parts, { separator });
        const makeup = asks(before + prompt + behind);
        if (makeup === undefined) {
          expect(prompt.length).toBeLessThan(24);
          return;
        }
        let at = 0;
        for (const { start = 0, end = 0 } of makeup.parts) {
          expect(
            ["", separator].some(
              (gap) => makeup.final_prompt.slice(at, start).length <= gap.length + 1,
            ),
          ).toBe(true);
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThanOrEqual(start);
          for (const edge of [start, end])
            expect(isInsidePair(makeup.final_prompt, edge)).toBe(false);
          at = end;
        }
        expect(at).toBe(makeup.final_prompt.length);
      },
    ),
  );
});

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
