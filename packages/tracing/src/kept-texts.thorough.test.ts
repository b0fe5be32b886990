import type { Dialect } from "@thoughtflow/dialects";
import { openaiChat, openaiResponses } from "@thoughtflow/dialects";
import { expect, test } from "vitest";
import type { SpanContent } from "./content.ts";
import { contentAttribute } from "./content-attributes.ts";
import { MOST_KEPT_BYTES, textBytesMade } from "./kept-texts.ts";
import { inputMessagesOf, outputMessagesOf } from "./materialise.ts";

/** A text that takes a sixteenth of all that is kept. */
const large = "x".repeat(MOST_KEPT_BYTES / 2 / 16);

const dialect: Dialect = openaiChat;
const callWith = (...texts: string[]) => ({
  dialect,
  request: { messages: texts.map((content) => ({ role: "user", content })) },
});

test("of texts above 64 MiB in all the oldest are let go, and made anew when somebody asks", () => {
  const first = callWith("the first", large);
  const [before] = inputMessagesOf(first);
  const held = Array.from({ length: 12 }, (_, turn) => callWith(`${turn} ${large}`));
  for (const call of held) inputMessagesOf(call);
  expect(inputMessagesOf(first)[0]).toBe(before);

  const more = Array.from({ length: 6 }, (_, turn) => callWith(`${turn} more ${large}`));
  for (const call of more) inputMessagesOf(call);
  const [after] = inputMessagesOf(first);
  expect(after).toEqual(before);
  expect(after).not.toBe(before);
  // All of them were in use until here.
  expect([...held, ...more]).toHaveLength(18);
});

test("answers and tool definitions count with the messages", () => {
  const answered = (text: string) => ({
    ...callWith("short"),
    response: { choices: [{ index: 0, message: { role: "assistant", content: text } }] },
  });
  const withTools = (text: string) => {
    const tool = { type: "function", function: { name: "look", description: text } };
    return { dialect, request: { messages: [], tools: [tool] } };
  };
  const toolsOf = (content: ReturnType<typeof withTools>) =>
    contentAttribute(content, "gen_ai.tool.definitions");
  const [answer, tools] = [answered(large), withTools(large)];
  const [before] = outputMessagesOf(answer);
  const said = toolsOf(tools);
  expect(outputMessagesOf(answer)[0]).toBe(before);

  const answers = Array.from({ length: 8 }, (_, turn) => answered(`${turn} ${large}`));
  const lists = Array.from({ length: 8 }, (_, turn) => withTools(`${turn} ${large}`));
  for (const one of answers) outputMessagesOf(one);
  for (const one of lists) toolsOf(one);
  const [after] = outputMessagesOf(answer);
  expect(after).toEqual(before);
  expect(after).not.toBe(before);
  expect(toolsOf(tools)).toBe(said);
  expect([...answers, ...lists]).toHaveLength(16);
});

test("and so do schemas, instructions and what declared steps say", () => {
  const schemaOf = (description: string): SpanContent => {
    const json_schema = { name: "answer", schema: { type: "object", description } };
    const request = { messages: [], response_format: { type: "json_schema", json_schema } };
    return { dialect, request };
  };
  const instructionsOf = (instructions: string): SpanContent => ({
    dialect: openaiResponses,
    request: { instructions, input: "Hello" },
  });
  const stepOf = (result: string): SpanContent => ({
    values: { "thoughtflow.step.completed": { result } },
  });
  const kinds: readonly (readonly [attribute: string, of: (text: string) => SpanContent])[] = [
    ["thoughtflow.output_schema", schemaOf],
    ["gen_ai.system_instructions", instructionsOf],
    ["thoughtflow.step.completed", stepOf],
  ];
  /** Whether a text had to be made for this. */
  const isMade = ([content, attribute]: readonly [SpanContent, string]) => {
    const before = textBytesMade();
    contentAttribute(content, attribute);
    return textBytesMade() > before;
  };

  const firsts = kinds.map(([attribute, of]) => [of(`the first ${large}`), attribute] as const);
  expect(firsts.map(isMade)).toEqual([true, true, true]);
  expect(firsts.map(isMade)).toEqual([false, false, false]);
  const others = kinds.flatMap(([attribute, of]) =>
    [1, 2, 3, 4, 5].map((turn) => [of(`${turn} ${large}`), attribute] as const),
  );
  for (const one of others) isMade(one);
  expect(firsts.map(isMade)).toEqual([true, true, true]);
  expect(others).toHaveLength(15);
});
