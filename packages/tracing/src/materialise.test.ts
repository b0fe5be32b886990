import type { Dialect } from "@thoughtflow/dialects";
import { defaultRedactor } from "@thoughtflow/redaction";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { afterEach, expect, test } from "vitest";
import type { ModelCallContent } from "./content.ts";
import { contentAttributesOf } from "./content-attributes.ts";
import { historyOf, inputMessagesOf, outputMessagesOf } from "./materialise.ts";
import { setRedactor } from "./redaction.ts";

interface Item {
  readonly role: string;
  content: unknown;
}

interface Request {
  readonly messages: readonly unknown[];
  readonly instructions?: string;
  readonly tools?: readonly unknown[];
}

/** A dialect that counts what it is asked to read. */
function countingDialect() {
  const read: unknown[] = [];
  const toMessage = (item: unknown): GenAiMessage => {
    if (typeof item === "string") return { role: "user", parts: [{ type: "text", content: item }] };
    const { role, content } = item as Item;
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return { role, parts: [{ type: "text", content: text }] };
  };
  const dialect: Dialect = {
    name: "test.chat",
    operation: "chat",
    inputItems: (request) => (request as Request).messages,
    messageOf: (item) => {
      read.push(item);
      return item === "nothing" ? undefined : toMessage(item);
    },
    systemInstructions: (request) => {
      const { instructions } = request as Request;
      return instructions === undefined ? [] : [{ type: "text", content: instructions }];
    },
    toolDefinitions: (request) => (request as Request).tools ?? [],
    outputMessages: (response) => [toMessage(response)],
    requestAttributes: () => ({}),
    responseAttributes: () => ({}),
    failureOf: () => undefined,
    createFold: () => ({ add: () => {}, response: () => undefined }),
  };
  return { dialect, read };
}

/** A redactor that writes down what it sees. */
function watchingRedactor(mark = "") {
  const seen: string[] = [];
  return {
    seen,
    value: (value: unknown, attribute: string) => {
      seen.push(attribute);
      return mark === "" ? value : mark;
    },
    text: (text: string) => text,
    key: (name: string) => name,
  };
}

afterEach(() => setRedactor(defaultRedactor));

const user = (content: unknown): Item => ({ role: "user", content });

test("an agent's loop reads each message once, and gives the same object every time", () => {
  const { dialect, read } = countingDialect();
  const history: Item[] = [];
  const firsts = [];
  for (let turn = 0; turn < 20; turn += 1) {
    history.push(user(`turn ${turn}`));
    const messages = inputMessagesOf({ dialect, request: { messages: [...history] } });
    firsts.push(messages[0]);
    expect(messages.map(({ json }) => json)).toEqual(
      history.map(({ role, content }) =>
        JSON.stringify({ role, parts: [{ type: "text", content }] }),
      ),
    );
  }
  expect(read).toEqual(history);
  expect(new Set(firsts).size).toBe(1);
});

test.each<[string, (item: Item) => void, string]>([
  ["another text", (item) => Object.assign(item, { content: "new" }), "new"],
  ["more in the same list", (item) => (item.content as string[]).push("more"), '["old","more"]'],
])("a message that holds %s now is read again", (_, change, text) => {
  const { dialect } = countingDialect();
  const item = user(["old"]);
  inputMessagesOf({ dialect, request: { messages: [item] } });
  change(item);
  expect(inputMessagesOf({ dialect, request: { messages: [item] } })[0]?.message).toEqual({
    role: "user",
    parts: [{ type: "text", content: text }],
  });
});

test("a message whose fields throw is still somebody's message", () => {
  const { dialect } = countingDialect();
  const item = {
    role: "user",
    content: "there",
    get output(): string {
      throw new Error("no");
    },
  };
  expect(inputMessagesOf({ dialect, request: { messages: [item] } })).toEqual([
    {
      message: { role: "user", parts: [{ type: "text", content: "there" }] },
      json: '{"role":"user","parts":[{"type":"text","content":"there"}]}',
    },
  ]);
});

test("content becomes JSON text once, each value redacted once, messages in pieces", () => {
  const redactor = watchingRedactor();
  setRedactor(redactor);
  const { dialect } = countingDialect();
  const tools = [{ type: "function", name: "get_weather" }];
  const content: ModelCallContent = {
    dialect,
    request: { messages: ["nothing", user("hi")], instructions: "Be kind.", tools },
  };
  const request = {
    "gen_ai.system_instructions": '[{"type":"text","content":"Be kind."}]',
    "gen_ai.input.messages": ['{"role":"user","parts":[{"type":"text","content":"hi"}]}'],
    "gen_ai.tool.definitions": '[{"type":"function","name":"get_weather"}]',
  };
  expect(contentAttributesOf(content)).toEqual(request);
  content.response = { role: "assistant", content: "Hello" };
  for (let reader = 0; reader < 3; reader += 1) {
    expect(contentAttributesOf(content)).toEqual({
      ...request,
      "gen_ai.output.messages": [
        '{"role":"assistant","parts":[{"type":"text","content":"Hello"}]}',
      ],
    });
  }
  // The next call of the loop: the same tools in a new list, the same instructions, one more message.
  contentAttributesOf({
    dialect,
    request: { messages: [user("again")], instructions: "Be kind.", tools: [...tools] },
  });
  expect(redactor.seen).toEqual([
    "gen_ai.system_instructions",
    "gen_ai.input.messages",
    "gen_ai.tool.definitions",
    "gen_ai.output.messages",
    "gen_ai.input.messages",
  ]);
});

test("another redactor makes every text anew", () => {
  const { dialect } = countingDialect();
  const tools = [{ type: "function", name: "t" }];
  const content: ModelCallContent = {
    dialect,
    request: { messages: [user("hi")], instructions: "Be kind.", tools },
    response: user("yes"),
  };
  const values = { values: { "thoughtflow.step.started": { text: "hi" } } };
  contentAttributesOf(content);
  contentAttributesOf(values);
  setRedactor(watchingRedactor("gone"));
  expect(contentAttributesOf(content)).toEqual({
    "gen_ai.system_instructions": '"gone"',
    "gen_ai.input.messages": ['"gone"'],
    "gen_ai.tool.definitions": '"gone"',
    "gen_ai.output.messages": ['"gone"'],
  });
  expect(contentAttributesOf(values)).toEqual({ "thoughtflow.step.started": '"gone"' });
});

test("values become JSON text by name, and what is undefined stays out", () => {
  const content = {
    values: { "gen_ai.tool.call.arguments": { city: "Canberra" }, left: undefined },
  };
  expect(contentAttributesOf(content)).toEqual({
    "gen_ai.tool.call.arguments": '{"city":"Canberra"}',
  });
});

test("a redactor that throws costs the text, not the program", () => {
  setRedactor({
    value: () => {
      throw new Error("no");
    },
    text: (text) => text,
    key: (name) => name,
  });
  const { dialect } = countingDialect();
  expect(outputMessagesOf({ dialect, request: {}, response: user("hi") })).toEqual([
    {
      message: { role: "user", parts: [{ type: "text", content: "hi" }] },
      json: '"[redacted: error]"',
    },
  ]);
});

test("equal objects are written once, and stay other messages; what changes in one changes in no other", () => {
  const { dialect, read } = countingDialect();
  const redactor = watchingRedactor();
  setRedactor(redactor);
  const said = () => user("the same words");
  const own = said();
  const [first, second] = [own, said()].map((one) => ({ dialect, request: { messages: [one] } }));
  if (first === undefined || second === undefined) throw new Error("no calls");
  expect(inputMessagesOf(first)).toEqual(inputMessagesOf(second));
  expect([read.length, redactor.seen.length]).toEqual([1, 1]);
  const [one, other] = [historyOf(first)[0], historyOf(second)[0]];
  expect(one).toEqual(other);
  expect(one).not.toBe(other);
  expect(one?.parts).toBe(other?.parts);

  own.content = "other words";
  const changed = inputMessagesOf({ dialect, request: { messages: [own] } });
  expect(changed[0]?.json).toContain("other words");
  expect(inputMessagesOf({ dialect, request: { messages: [said()] } })[0]?.json).toContain(
    "the same",
  );
});
