import { type GenAiMessage, type GenAiPart, isTextPart, wordsOf } from "@thoughtflow/semconv";

/** What programs put into people's messages by themselves, and put elsewhere or leave out the next time, stands between these. */
const [REMINDER, REMINDED] = ["<system-reminder>", "</system-reminder>"];

/** A message as it was meant: without reminders, which move from request to request. The same object where it has none. */
export function withoutReminders(message: GenAiMessage): GenAiMessage {
  if (!message.parts.some(isReminding)) return message;
  return { ...message, parts: message.parts.flatMap(plainParts) };
}

/** Whether a text may have one. */
export function hasReminder(text: string): boolean {
  return text.includes(REMINDER);
}

/** A text without reminders. One that has no end is none, and no end is looked for twice. */
export function textWithoutReminders(text: string): string {
  let plain = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(REMINDER, at);
    const end = start === -1 ? -1 : text.indexOf(REMINDED, start);
    if (end === -1) return plain + text.slice(at);
    plain += text.slice(at, start);
    at = end + REMINDED.length;
  }
}

function isReminding(part: GenAiPart): boolean {
  const text = isTextPart(part) ? part.content : (part as { readonly response?: unknown }).response;
  return typeof text === "string" && hasReminder(text);
}

function plainParts(part: GenAiPart): readonly GenAiPart[] {
  if (isTextPart(part)) {
    const content = textWithoutReminders(part.content).trim();
    return content === "" ? [] : [{ ...part, content }];
  }
  const { response } = part as { readonly response?: unknown };
  if (typeof response !== "string") return [part];
  return [{ ...part, response: textWithoutReminders(response).trimEnd() } as GenAiPart];
}

/** What a person said first, or another agent; empty where nobody did. */
export function firstWords(messages: readonly GenAiMessage[]): string {
  const first = messages.find(({ role }) => role === "user");
  return first === undefined ? "" : wordsOf(withoutReminders(first).parts);
}

/** So many messages a program may put before what an agent was asked. */
const MOST_OPENING = 4;

/** What was said before the first answer, message by message: some programs tell of the machine before they ask. */
export function openingWords(messages: readonly GenAiMessage[]): readonly string[] {
  const words: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant" || words.length === MOST_OPENING) break;
    if (message.role === "user") words.push(wordsOf(withoutReminders(message).parts));
  }
  return words;
}

/** The answer that ends the first `length` messages; several may be one. */
export function answerUpTo(
  messages: readonly GenAiMessage[],
  length: number,
): readonly GenAiMessage[] {
  const asked = messages.findLastIndex(({ role }, at) => at < length && role !== "assistant");
  return messages.slice(asked + 1, length);
}

/** A text with every run of white space as one blank: what prompts are compared by. */
export function comparable(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether a message tells a model what to be, and not what was said. */
export function isInstruction({ role }: Pick<GenAiMessage, "role">): boolean {
  return role === "system" || role === "developer";
}
