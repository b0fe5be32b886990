import type { Dialect } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";

interface Remembered {
  /** What stood in the item when it was read. */
  readonly content: unknown;
  readonly calls: unknown;
  readonly message: GenAiMessage | undefined;
}

interface Item {
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

const remembered = new WeakMap<object, Remembered>();

/**
 * The input of a call as messages, to compare with and not to write: no text is made of them. An item that an
 * earlier call sent gives the same message object, unless its content was replaced since.
 */
export function historyOf(dialect: Dialect, request: unknown): readonly GenAiMessage[] {
  const messages: GenAiMessage[] = [];
  for (const item of dialect.inputItems(request)) {
    const message =
      typeof item === "object" && item !== null ? recall(dialect, item) : dialect.messageOf(item);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function recall(dialect: Dialect, item: Item): GenAiMessage | undefined {
  const { content, tool_calls: calls } = item;
  const known = remembered.get(item);
  if (known !== undefined && known.content === content && known.calls === calls) {
    return known.message;
  }
  const message = dialect.messageOf(item);
  remembered.set(item, { content, calls, message });
  return message;
}
