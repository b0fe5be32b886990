import type { GenAiMessage } from "@thoughtflow/semconv";
import { ATTR_GEN_AI_INPUT_MESSAGES, ATTR_GEN_AI_OUTPUT_MESSAGES } from "@thoughtflow/semconv";
import type { ModelCallContent } from "./content.ts";
import type { InputItem } from "./input-item.ts";
import { inputItemsOf } from "./input-items.ts";
import { keepTexts, type TextBatch } from "./kept-texts.ts";
import type { MaterialisedMessage } from "./materialised-message.ts";
import { processState } from "./process-state.ts";
import { redactionGeneration, toContentJson } from "./redaction.ts";

interface RememberedList {
  readonly generation: number;
  readonly source: unknown;
  readonly batch: TextBatch;
}

const remembered = processState("materialised.v4", () => ({
  outputs: new WeakMap<ModelCallContent, RememberedList>(),
}));

/**
 * The input of a call as messages, to compare with and not to write: no text is made of them.
 *
 * @param from how many are left out at the beginning
 */
export function historyOf(content: ModelCallContent, from = 0): readonly GenAiMessage[] {
  const items = inputItemsOf(content);
  return (from === 0 ? items : items.slice(from)).map(({ message }) => message);
}

/**
 * The input of a model call in order, without items that have nothing to show. The text of a message is made once, and again
 * only when all texts together were more than may be kept.
 */
export function inputMessagesOf(content: ModelCallContent): readonly MaterialisedMessage[] {
  const generation = redactionGeneration();
  const messages: MaterialisedMessage[] = [];
  const fresh: InputItem[] = [];
  const made: MaterialisedMessage[] = [];
  for (const item of inputItemsOf(content)) {
    const known = textOf(item, generation);
    if (known !== undefined) {
      messages.push(known);
      continue;
    }
    const { message } = item;
    const one = { message, json: toContentJson(message, ATTR_GEN_AI_INPUT_MESSAGES) };
    fresh.push(item);
    made.push(one);
    messages.push(one);
  }
  if (made.length > 0) {
    const batch = keepTexts(made);
    for (const [at, item] of fresh.entries()) item.written.text = { generation, batch, at };
  }
  return messages;
}

/** Nobody asks for the answer of this call any more. */
export function forgetOutputMessages(content: ModelCallContent): void {
  remembered.outputs.delete(content);
}

function textOf(
  { written: { text } }: InputItem,
  generation: number,
): MaterialisedMessage | undefined {
  return text?.generation === generation ? text.batch.messages[text.at] : undefined;
}

/** The answer, one message for each choice; empty until there is one. */
export function outputMessagesOf(content: ModelCallContent): readonly MaterialisedMessage[] {
  const { dialect, response } = content;
  if (response === undefined) return [];
  const generation = redactionGeneration();
  const known = remembered.outputs.get(content);
  if (known !== undefined && known.source === response && known.generation === generation) {
    if (known.batch.messages.length > 0) return known.batch.messages;
  }
  const messages = dialect.outputMessages(response).map((message) => ({
    message,
    json: toContentJson(message, ATTR_GEN_AI_OUTPUT_MESSAGES),
  }));
  if (messages.length === 0) return messages;
  remembered.outputs.set(content, { generation, source: response, batch: keepTexts(messages) });
  return messages;
}
