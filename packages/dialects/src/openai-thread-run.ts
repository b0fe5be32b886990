import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_STATUS,
  OPERATION_FETCH_RESPONSE,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import { contentParts } from "./content-parts.ts";
import type { Dialect, StreamFold } from "./dialect.ts";
import { chatMessageOf } from "./openai-chat-message.ts";
import { failureFrom } from "./openai-failure.ts";
import { fetchAttributes } from "./openai-fetched-response.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { toolDefinitionsOf } from "./openai-tool-definitions.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `beta.threads.runs` of the Assistants API, with the thread's id as `thread_id` of the request. */
export const openaiThreadRun: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.thread_run",
  operation: OPERATION_INVOKE_AGENT,
  inputItems: (value) => {
    const request = propertiesOf(value);
    return [
      ...itemsOf(propertiesOf(request["thread"])["messages"]),
      ...itemsOf(request["additional_messages"]),
      ...itemsOf(request["tool_outputs"]).map(toolMessage),
    ];
  },
  messageOf: chatMessageOf,
  systemInstructions: (value) => {
    const request = propertiesOf(value);
    return [request["instructions"], request["additional_instructions"]].flatMap(contentParts);
  },
  toolDefinitions: toolDefinitionsOf,
  outputMessages: (value) => {
    const run = propertiesOf(value);
    const said = itemsOf(run["messages"]).map(answerOf);
    const calls = itemsOf(
      propertiesOf(propertiesOf(run["required_action"])["submit_tool_outputs"])["tool_calls"],
    );
    const called =
      calls.length === 0 ? undefined : chatMessageOf({ role: "assistant", tool_calls: calls });
    return called === undefined ? said : [...said, called];
  },
  requestAttributes: (value) => {
    const request = propertiesOf(value);
    return {
      ...requestAttributes(request),
      ...present<string>({
        [ATTR_GEN_AI_AGENT_ID]: textOf(request["assistant_id"]),
        [ATTR_GEN_AI_CONVERSATION_ID]: textOf(request["thread_id"]),
      }),
    };
  },
  responseAttributes: (value) => {
    const run = propertiesOf(value);
    return {
      ...present<string>({
        [ATTR_GEN_AI_RESPONSE_ID]: textOf(run["id"]),
        [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(run["model"]),
        [ATTR_GEN_AI_RESPONSE_STATUS]: textOf(run["status"]),
        [ATTR_GEN_AI_CONVERSATION_ID]: textOf(run["thread_id"]),
      }),
      ...usageAttributes(run["usage"]),
    };
  },
  failureOf: (value) => {
    const { status, last_error: error } = propertiesOf(value);
    const isOver = status === "failed" || status === "expired";
    return failureFrom(error) ?? (isOver ? { type: status } : undefined);
  },
  createFold,
};

/** `beta.threads.runs.retrieve` and `.cancel`, with the run's id as `previous_response_id` of the request. */
export const openaiFetchedThreadRun: Dialect = {
  ...openaiThreadRun,
  name: "openai.fetched_thread_run",
  operation: OPERATION_FETCH_RESPONSE,
  inputItems: () => [],
  systemInstructions: () => [],
  toolDefinitions: () => [],
  requestAttributes: fetchAttributes,
};

function toolMessage(value: unknown): unknown {
  const { tool_call_id, output } = propertiesOf(value);
  return { role: "tool", tool_call_id, content: output };
}

/** A thread's message has its texts one level deeper than chat has them. */
function answerOf(value: unknown): GenAiMessage {
  const message = propertiesOf(value);
  const parts = itemsOf(message["content"]).flatMap((item): readonly GenAiPart[] => {
    const part = propertiesOf(item);
    const text = textOf(propertiesOf(part["text"])["value"]);
    return text === undefined ? contentParts([item]) : [{ type: "text", content: text }];
  });
  return { role: textOf(message["role"]) ?? "assistant", parts };
}

/** The run as it was last told of, with the messages that came to their end. */
function createFold(): StreamFold {
  let run: Readonly<Record<string, unknown>> = {};
  const messages: unknown[] = [];
  return {
    add: (value) => {
      const { event, data } = propertiesOf(value);
      const type = textOf(event) ?? "";
      if (/^thread\.run\.(?!step)/.test(type)) run = propertiesOf(data);
      if (type === "thread.message.completed" || type === "thread.message.incomplete")
        messages.push(data);
      if (type === "error") run = { ...run, last_error: data };
    },
    response: () => ({ ...run, messages }),
  };
}
