import { type GenAiMessage, type GenAiPart, isTextPart } from "@thoughtflow/semconv";
import { propertiesOf } from "../unknown-values.ts";
import { anyMessages } from "./any-message.ts";
import { anyParts } from "./any-part.ts";
import { answersIn, messagesIn, oneMessage } from "./messages-in.ts";
import { LONGEST_LITERAL, pythonLiteral } from "./python-literal.ts";
import type { Reader } from "./reader.ts";

/**
 * An answer whose parts may be what Python prints of the SDK's objects: items of the Responses API, messages of chat. A text that
 * only begins like one stays a text.
 */
export const printedAnswer: Reader = {
  as: "messages, also as Python prints the SDK's; plain text is the assistant's",
  read(span, attribute) {
    const found = answersIn(span.value(attribute)).map(createPrintReader());
    return found.length > 0 ? JSON.stringify(found) : undefined;
  },
};

/** Messages, the assistant's as above, where what a tool gave may stand beside itself as a text. */
export const printedMessages: Reader = {
  as: "messages, also as Python prints the SDK's; what a tool gave once",
  read(span, attribute) {
    const withoutPrint = createPrintReader();
    const found = messagesIn(span.value(attribute), "user").map((message) =>
      message.role === "assistant" ? withoutPrint(message) : withoutEcho(message),
    );
    return found.length > 0 ? JSON.stringify(found) : undefined;
  },
};

/** Reads the messages of one attribute, of all their prints no more than of one. */
function createPrintReader(): (message: GenAiMessage) => GenAiMessage {
  let left = LONGEST_LITERAL;
  const partsPrinted = (part: GenAiPart): readonly GenAiPart[] => {
    if (!isTextPart(part) || !PRINT.test(part.content) || part.content.length > left) return [part];
    left -= part.content.length;
    const parts = partsOf(part.content);
    return parts.length > 0 ? parts : [part];
  };
  return (message) => {
    const pieces = message.parts.map(
      (part): GenAiMessage => ({ role: message.role, parts: partsPrinted(part) }),
    );
    return { ...message, parts: oneMessage(pieces).parts };
  };
}

/** The SDK's classes for the items of an answer. */
const ITEM =
  /^Response(?:OutputMessage|ReasoningItem|CompactionItem|FunctionWebSearch|ToolSearchCall|(?:Function|Custom|Computer|CodeInterpreter|FileSearch|FunctionShell|ApplyPatch)ToolCall)\(/;

/** How prints begin: of an item of the Responses API, a message of chat, a part of an answer. */
const PRINT = new RegExp(`${ITEM.source}|^\\{'(?:content|annotations)': `);

/** What was printed; nothing of any other text. */
function partsOf(text: string): readonly GenAiPart[] {
  const value = pythonLiteral(text);
  const { role, type } = propertiesOf(value);
  if (ITEM.test(text) || role === "assistant")
    return anyMessages(value).flatMap(({ parts }) => parts);
  return type === "output_text" ? anyParts(value) : [];
}

function withoutEcho(message: GenAiMessage): GenAiMessage {
  const { role, parts } = message;
  const isAnswer = role === "tool" && parts.some(({ type }) => type === "tool_call_response");
  return isAnswer ? { ...message, parts: parts.filter((part) => !isTextPart(part)) } : message;
}
