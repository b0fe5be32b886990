import type { GenAiMessage } from "@thoughtflow/semconv";
import { ATTR_GEN_AI_INPUT_MESSAGES, ATTR_GEN_AI_OUTPUT_MESSAGES } from "@thoughtflow/semconv";
import type { ModelCallContent } from "./content.ts";
import type { InputItem } from "./input-items.ts";
import { inputItemsOf } from "./input-items.ts";
import type { MaterialisedMessage } from "./materialised-message.ts";
import { processState } from "./process-state.ts";
import { redactionGeneration, toContentJson } from "./redaction.ts";

interface RememberedList {
  readonly generation: number;
  readonly source: unknown;
  readonly messages: readonly MaterialisedMessage[];
}

const remembered = processState("materialised.v2", () => ({
  inputs: new WeakMap<ModelCallContent, RememberedList>(),
  outputs: new WeakMap<ModelCallContent, RememberedList>(),
}));

/** The input of a call as messages, to compare with and not to write: no text is made of them. */
export function historyOf(content: ModelCallContent): readonly GenAiMessage[] {
  return inputItemsOf(content).map(({ message }) => message);
}

/** The input of a model call in order, without items that have nothing to show. */
export function inputMessagesOf(content: ModelCallContent): readonly MaterialisedMessage[] {
  return listOf(remembered.inputs, content, content.request, () =>
    inputItemsOf(content).map(materialised),
  );
}

function materialised(item: InputItem): MaterialisedMessage {
  const generation = redactionGeneration();
  if (item.text?.generation === generation) return item.text.materialised;
  const { message } = item;
  const made = { message, json: toContentJson(message, ATTR_GEN_AI_INPUT_MESSAGES) };
  item.text = { generation, materialised: made };
  return made;
}

/** The answer, one message for each choice; empty until there is one. */
export function outputMessagesOf(content: ModelCallContent): readonly MaterialisedMessage[] {
  const { dialect, response } = content;
  if (response === undefined) return [];
  return listOf(remembered.outputs, content, response, () =>
    dialect.outputMessages(response).map((message) => ({
      message,
      json: toContentJson(message, ATTR_GEN_AI_OUTPUT_MESSAGES),
    })),
  );
}

function listOf(
  lists: WeakMap<ModelCallContent, RememberedList>,
  content: ModelCallContent,
  source: unknown,
  materialise: () => readonly MaterialisedMessage[],
): readonly MaterialisedMessage[] {
  const generation = redactionGeneration();
  const known = lists.get(content);
  if (known !== undefined && known.source === source && known.generation === generation) {
    return known.messages;
  }
  const messages = materialise();
  lists.set(content, { generation, source, messages });
  return messages;
}
