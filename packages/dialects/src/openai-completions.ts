import { OPERATION_TEXT_COMPLETION } from "@thoughtflow/semconv";
import { textMessage } from "./call-without-history.ts";
import type { Dialect, StreamFold } from "./dialect.ts";
import { choicesAttributes, choicesOf } from "./openai-choices.ts";
import { failureInBody } from "./openai-failure.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { numberOf, propertiesOf } from "./unknown-values.ts";

/** The legacy `completions.create`: one text in, texts out, no history and no tools. */
export const openaiCompletions: Dialect = {
  name: "openai.completions",
  operation: OPERATION_TEXT_COMPLETION,
  inputItems: (request) => {
    const { prompt } = propertiesOf(request);
    return Array.isArray(prompt) ? prompt.filter((item) => typeof item === "string") : [prompt];
  },
  messageOf: (item) => textMessage("user", item),
  systemInstructions: () => [],
  toolDefinitions: () => [],
  outputMessages: (response) =>
    choicesOf(response).map(
      (choice) => textMessage("assistant", choice["text"]) ?? { role: "assistant", parts: [] },
    ),
  requestAttributes,
  responseAttributes: choicesAttributes,
  failureOf: failureInBody,
  createFold,
};

function createFold(): StreamFold {
  const head: Record<string, unknown> = {};
  const choices = new Map<number, { index: number; text: string; finish_reason: unknown }>();
  return {
    add: (value) => {
      const chunk = propertiesOf(value);
      for (const choice of choicesOf(chunk)) {
        const index = numberOf(choice["index"]) ?? 0;
        let state = choices.get(index);
        if (state === undefined) {
          state = { index, text: "", finish_reason: null };
          choices.set(index, state);
        }
        if (typeof choice["text"] === "string") state.text += choice["text"];
        if (choice["finish_reason"]) state.finish_reason = choice["finish_reason"];
      }
      for (const key of ["id", "model", "created", "system_fingerprint", "usage", "error"]) {
        if (chunk[key]) head[key] = chunk[key];
      }
    },
    response: () => ({
      ...head,
      object: "text_completion",
      choices: [...choices.values()].sort((left, right) => left.index - right.index),
    }),
  };
}
