import { isToolCallPart } from "@thoughtflow/semconv";
import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import { anyMessages } from "./any-message.ts";
import { messagesIn } from "./messages-in.ts";
import type { Reader } from "./reader.ts";
import { messages } from "./readers.ts";

/** Messages; the handler of LangChain.js gives a tool's message the tool's name in the place of the role. */
export const langfuseMessages: Reader = {
  as: messages("user").as,
  read(span, name) {
    const value = span.value(name);
    if (value === undefined) return undefined;
    const found = messagesIn(withRolesOfTools(value), "user");
    return found.length > 0 ? JSON.stringify(found) : undefined;
  },
};

function withRolesOfTools(value: unknown): unknown {
  if (Array.isArray(value)) return rolesOfTools(value);
  const { messages: list } = propertiesOf(value);
  return Array.isArray(list) ? { ...propertiesOf(value), messages: rolesOfTools(list) } : value;
}

/** A role is a tool's name where a message before called that tool. */
function rolesOfTools(list: readonly unknown[]): readonly unknown[] {
  const called = new Set<string>();
  return list.map((item) => {
    const { role, additional_kwargs: more, tool_calls: calls } = propertiesOf(item);
    if (itemsOf(calls).length > 0)
      for (const { parts } of anyMessages(item))
        for (const part of parts) if (isToolCallPart(part)) called.add(part.name);
    const isTool = more !== undefined && called.has(textOf(role) ?? "");
    return isTool ? { ...propertiesOf(item), role: "tool" } : item;
  });
}
