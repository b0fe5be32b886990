import type { GenAiMessage } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import { anyMessages } from "./any-message.ts";
import { toolCall } from "./any-part.ts";
import { answersIn, oneMessage } from "./messages-in.ts";
import { pythonLiteral } from "./python-literal.ts";
import type { Reader } from "./reader.ts";
import { parsedOr, type SpanView } from "./span-view.ts";

/** The roles of the conventions, and OpenAI's. */
const SPOKEN: ReadonlySet<string> = new Set(["system", "developer", "user", "assistant", "tool"]);

/** Where a message begins in the text that all of them are written as. */
const BEGINNING = /^(system|developer|user|assistant|tool): /gm;

/**
 * `system: Be brief.\nuser: Hi`. In the place of each message without words of its own stands the list of all of them as Python prints
 * it: then that is what was said.
 */
export const openLitMessages: Reader = {
  as: "messages in lines, each after its role",
  read(span, name) {
    const text = span.text(name);
    if (text === undefined) return undefined;
    const said = messagesOf(text);
    const messages = printedIn(said) ?? said.flatMap(messageOf);
    return messages.length > 0 ? JSON.stringify(messages) : undefined;
  },
};

/** The answer's text, and the calls that stand in attributes of one tool, all names, ids and arguments in a row. */
export const openLitAnswer: Reader = {
  as: "text, and the calls in `gen_ai.tool.*`",
  isPart: true,
  read(span, name) {
    const calls = callsOf(span);
    const message = oneMessage([...answersIn(span.text(name) ?? ""), ...calls]);
    return message.parts.length > 0 ? JSON.stringify([message]) : undefined;
  },
};

interface Said {
  readonly role: string;
  readonly text: string;
}

function messagesOf(text: string): readonly Said[] {
  const found = [...text.matchAll(BEGINNING)];
  if (found[0]?.index !== 0) return [{ role: "user", text }];
  return found.map(({ index, 0: start, 1: role = "user" }, at) => {
    const end = found[at + 1]?.index;
    const said = text.slice(index + start.length, end === undefined ? undefined : end - 1);
    return { role, text: said };
  });
}

function messageOf({ role, text }: Said): readonly GenAiMessage[] {
  return anyMessages({ role, content: text });
}

/** The list among the lines, which tells the other lines, too; `undefined` where nothing is one. */
function printedIn(said: readonly Said[]): readonly GenAiMessage[] | undefined {
  const printed = said.findLast(({ text }) => text.startsWith("[{'"))?.text;
  if (printed === undefined) return undefined;
  const items = itemsOf(pythonLiteral(printed)).map(propertiesOf);
  const lines = items.map(({ role, content }) => `${toText(role)}: ${lineOf(content)}`);
  const told = new Set(messagesOf(lines.join("\n")).map(({ text }) => text));
  const others = said.filter(({ text }) => text !== printed);
  const isWhole =
    items.every(({ role }) => SPOKEN.has(toText(role))) &&
    others.every(({ text }) => told.has(text));
  return items.length > 0 && isWhole ? items.flatMap(anyMessages) : undefined;
}

/** Content as a line has it: parts are `text: Hi, image_url: https://…`. */
function lineOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = itemsOf(content).map((part) => {
    const { type, text, image_url } = propertiesOf(part);
    return `${toText(type)}: ${textOf(text) ?? textOf(propertiesOf(image_url)["url"])}`;
  });
  return parts.join(", ");
}

function callsOf(span: SpanView): readonly GenAiMessage[] {
  const [names, ids] = ["gen_ai.tool.name", "gen_ai.tool.call.id"].map(
    (name) => span.text(name)?.split(", ") ?? [],
  );
  const args = argumentsOf(span.text("gen_ai.tool.args") ?? "", names?.length ?? 0);
  const parts = names?.flatMap(
    (name, at) => toolCall({ name, id: ids?.[at], arguments: args[at] }) ?? [],
  );
  return parts === undefined || parts.length === 0 ? [] : [{ role: "assistant", parts }];
}

/** The arguments of so many calls, in a row; some calls have none. */
function argumentsOf(text: string, calls: number): readonly unknown[] {
  if (calls === 1) return [text === "" ? undefined : parsedOr(text)];
  const listed = itemsOf(parsedOr(`[${text}]`));
  if (listed.length === calls) return listed;
  const cut = text.split(/(?<=^|\}|, ), (?=\{|, |$)/);
  return cut.length === calls ? cut.map((one) => (one === "" ? undefined : parsedOr(one))) : [];
}
