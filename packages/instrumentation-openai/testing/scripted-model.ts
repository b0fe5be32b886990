import type { Exchange } from "@thoughtflow/testkit";
import { toExchange } from "@thoughtflow/testkit";

/** A tool call as a model asks for it: id, name, arguments as JSON text. */
export type AskedCall = readonly [id: string, name: string, args: string];

/** A chat answer that asks for tools. */
export function asks(...calls: readonly AskedCall[]): Exchange {
  return completion({
    content: null,
    tool_calls: calls.map(([id, name, args]) => ({
      id,
      type: "function",
      function: { name, arguments: args },
    })),
  });
}

/** A chat answer in words. */
export function says(content: string): Exchange {
  return completion({ content });
}

function completion(message: object): Exchange {
  return toExchange("/v1/chat/completions", {
    id: "chatcmpl",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
  });
}

/** The same answer as a stream of chunks. */
export function streamed({ path, response }: Exchange): Exchange {
  const { choices, ...rest } = JSON.parse(response.body);
  const [{ message, finish_reason }] = choices;
  const calls = message.tool_calls?.map((call: object, index: number) => ({ index, ...call }));
  const delta = { ...message, ...(calls && { tool_calls: calls }) };
  const chunks = [
    {
      ...rest,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: null }],
    },
    {
      ...rest,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: {}, finish_reason: calls ? "tool_calls" : finish_reason }],
    },
  ];
  return toExchange(
    path,
    `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`,
  );
}

let responses = 0;

/** A response of the Responses API with function calls, or with words. */
export function responds(...output: readonly (AskedCall | string)[]): Exchange {
  const id = `resp_${++responses}`;
  return toExchange("/v1/responses", {
    id,
    object: "response",
    status: "completed",
    model: "m",
    output: output.map((item, index) =>
      typeof item === "string"
        ? {
            id: `msg_${responses}_${index}`,
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: item, annotations: [], logprobs: [] }],
          }
        : {
            id: `fc_${responses}_${index}`,
            type: "function_call",
            status: "completed",
            call_id: item[0],
            name: item[1],
            arguments: item[2],
          },
    ),
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  });
}

/** The same response as a stream of events. */
export function streamedResponse({ path, response }: Exchange): Exchange {
  const whole = JSON.parse(response.body);
  const events: object[] = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    ...whole.output.flatMap((item: { type: string; arguments?: string }, output_index: number) => [
      {
        type: "response.output_item.added",
        output_index,
        item: {
          ...item,
          status: "in_progress",
          ...(item.type === "message" ? { content: [] } : { arguments: "" }),
        },
      },
      ...partEvents(item, output_index),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: whole },
  ];
  const lines = events.map(
    (event, sequence_number) =>
      `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify({ sequence_number, ...event })}\n\n`,
  );
  return toExchange(path, lines.join(""));
}

interface OutputItem {
  readonly id?: string;
  readonly type: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly text: string }[];
}

function partEvents(item: OutputItem, output_index: number): readonly object[] {
  const at = { item_id: item.id, output_index };
  if (item.type === "function_call") {
    const { arguments: args = "" } = item;
    return [
      { type: "response.function_call_arguments.delta", ...at, delta: args },
      { type: "response.function_call_arguments.done", ...at, arguments: args },
    ];
  }
  const [part] = item.content ?? [];
  const text = part?.text ?? "";
  return [
    { type: "response.content_part.added", ...at, content_index: 0, part: { ...part, text: "" } },
    { type: "response.output_text.delta", ...at, content_index: 0, delta: text, logprobs: [] },
    { type: "response.output_text.done", ...at, content_index: 0, text, logprobs: [] },
    { type: "response.content_part.done", ...at, content_index: 0, part },
  ];
}
