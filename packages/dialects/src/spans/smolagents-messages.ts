import { type GenAiMessage, type GenAiPart, isTextPart } from "@thoughtflow/semconv";
import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import { toolCall, toolResponse } from "./any-part.ts";
import { openInferenceMessages } from "./openinference-messages.ts";
import { LONGEST_LITERAL, pythonLiteral } from "./python-literal.ts";
import type { Reader } from "./reader.ts";
import { parsedOr } from "./span-view.ts";

const CALLS = "Calling tools:\n";
const OUTPUT = "Observation:\n";

/** `tool-call` is the assistant's, with the calls as Python prints them; the `tool-response` after it is what they gave. */
export const smolagentsMessages: Reader = {
  as: "flattened messages, calls in them as Python prints them",
  isList: true,
  read(span, prefix) {
    const flat = openInferenceMessages.read(span, prefix);
    if (typeof flat !== "string") return undefined;
    let left = LONGEST_LITERAL;
    let asked: readonly GenAiPart[] = [];
    const messages = (JSON.parse(flat) as readonly GenAiMessage[]).map((message): GenAiMessage => {
      const text = message.parts.map((part) => (isTextPart(part) ? part.content : "")).join("");
      if (message.role === "tool-call") {
        const isRead = text.length <= left;
        left -= isRead ? text.length : 0;
        asked = isRead ? callsIn(text) : [];
        return { role: "assistant", parts: asked.length > 0 ? asked : message.parts };
      }
      if (message.role !== "tool-response") return message;
      const [only, ...others] = asked;
      asked = [];
      if (only === undefined || others.length > 0 || !text.startsWith(OUTPUT))
        return { ...message, role: "user" };
      const given = toolResponse(propertiesOf(only)["id"], text.slice(OUTPUT.length));
      return { role: "tool", parts: [given] };
    });
    return JSON.stringify(messages);
  },
};

function callsIn(text: string): readonly GenAiPart[] {
  const printed = text.startsWith(CALLS) ? pythonLiteral(text.slice(CALLS.length)) : undefined;
  return itemsOf(printed).flatMap((call) => toolCall(propertiesOf(call)) ?? []);
}

/** What a tool was given: by name, or, where a program called it, by position, which `tool.parameters` has the names of. */
export const smolagentsArguments: Reader = {
  as: "JSON of its `kwargs`, or of its `args` with the names in `tool.parameters`",
  read(span, name) {
    const { args, kwargs } = propertiesOf(span.value(name));
    if (args === undefined && kwargs === undefined) return undefined;
    const names = Object.keys(propertiesOf(parsedOr(textOf(span.get("tool.parameters")) ?? "")));
    const given = itemsOf(args);
    if (given.length > names.length) return undefined;
    const byPlace = given.map((value, at): [string, unknown] => [names[at] ?? "", value]);
    return JSON.stringify({ ...Object.fromEntries(byPlace), ...propertiesOf(kwargs) });
  },
};
