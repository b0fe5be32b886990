// What a model's API answers: each is one reply of the loopback server, made for a request that a scenario makes.
import { toExchange } from "@thoughtflow/testkit";

/** A body as JSON, or server-sent events as text. */
export const reply = (body, options) => ({ exchange: toExchange("/v1", body, options) });

/** An error status; the SDK tries again where the API lets it. */
export const refusal = (status, { body, headers } = {}) => ({
  fault: {
    kind: "status",
    status,
    headers: { "x-request-id": "req_refused", ...headers },
    body: body ?? JSON.stringify({ error: { message: "why", type: "kind", code: `c${status}` } }),
  },
});

/** The same, for good: no second attempt. */
export const finalRefusal = (status, options) =>
  refusal(status, { ...options, headers: { "x-should-retry": "false", ...options?.headers } });

/** Never an answer. */
export const silence = { fault: { kind: "hang" } };

/** An answer whose socket is cut, or goes quiet, after so many bytes. */
export const cutAfter = (afterBytes, { exchange }) => ({
  exchange,
  fault: { kind: "cut", afterBytes },
});
export const quietAfter = (afterBytes, { exchange }) => ({
  exchange,
  fault: { kind: "stall", afterBytes },
});

const REQUEST_ID = { headers: { "x-request-id": "req_1" } };
const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };

/** A chat completion with one choice. */
export const chat = (content = "Hello!", message = {}, finish_reason = "stop") =>
  reply(
    {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "m-1",
      choices: [
        {
          index: 0,
          finish_reason,
          message: { role: "assistant", content, refusal: null, ...message },
        },
      ],
      usage: USAGE,
    },
    REQUEST_ID,
  );

/** A chat completion that asks for tools: `[name, arguments]` each. */
export const chatCalling = (...calls) =>
  chat(
    null,
    {
      tool_calls: calls.map(([name, args, id = `call_${name}`]) => ({
        id,
        type: "function",
        function: { name, arguments: args },
      })),
    },
    "tool_calls",
  );

/** Server-sent events of these values; a string is sent as it is. */
export const events = (values, { done = true } = {}) =>
  reply(
    [...values, ...(done ? ["[DONE]"] : [])]
      .map((value) => {
        const data = typeof value === "string" ? value : JSON.stringify(value);
        return `${value.type === undefined ? "" : `event: ${value.type}\n`}data: ${data}\n\n`;
      })
      .join(""),
    REQUEST_ID,
  );

/** A chunk of a streamed chat completion. */
export const chunk = (delta, more = {}, choice = {}) => ({
  id: "chatcmpl-2",
  object: "chat.completion.chunk",
  created: 1,
  model: "m-1",
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...more,
});
export const lastChunk = (finish_reason = "stop", more = {}) => chunk({}, more, { finish_reason });
export const usageChunk = { ...chunk({}), choices: [], usage: USAGE };

/** A streamed chat completion of so many words. */
export const chatStream = (words = 5) =>
  events([
    chunk({ role: "assistant", content: "" }),
    ...Array.from({ length: words }, (_, n) => chunk({ content: `word ${n} ` })),
    lastChunk(),
    usageChunk,
  ]);

/** A part of a tool call in a chunk. */
export const callPart = (index, args, name) =>
  chunk({
    tool_calls: [
      {
        index,
        ...(name && { id: `call_${name}`, type: "function" }),
        function: { ...(name && { name }), arguments: args },
      },
    ],
  });

const RESPONSE_USAGE = {
  input_tokens: 7,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 12,
};

export const textItem = (text) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
export const callItem = (name, args, id = `call_${name}`) => ({
  id: `fc_${name}`,
  type: "function_call",
  status: "completed",
  call_id: id,
  name,
  arguments: args,
});

/** The value of a response of the Responses API. */
export const responseValue = (output = [textItem("Hello!")], more = {}) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: "m-1",
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  usage: RESPONSE_USAGE,
  ...more,
});
export const response = (...parts) => reply(responseValue(...parts), REQUEST_ID);

/** The events by which the Responses API streams this response. */
export const responseEvents = (value, last = "response.completed") => {
  let sequence_number = 0;
  const event = (type, more) => ({ type, sequence_number: sequence_number++, ...more });
  const begun = { ...value, status: "in_progress", output: [], usage: null };
  const list = [
    event("response.created", { response: begun }),
    event("response.in_progress", { response: begun }),
  ];
  for (const [output_index, item] of value.output.entries()) {
    const at = { output_index, item_id: item.id };
    const isText = item.type === "message";
    const empty = isText ? { ...item, content: [] } : { ...item, arguments: "" };
    list.push(
      event("response.output_item.added", {
        output_index,
        item: { ...empty, status: "in_progress" },
      }),
    );
    if (isText) {
      const [part] = item.content;
      const where = { ...at, content_index: 0 };
      list.push(event("response.content_part.added", { ...where, part: { ...part, text: "" } }));
      for (const delta of part.text.match(/.{1,3}/gs) ?? []) {
        list.push(event("response.output_text.delta", { ...where, delta, logprobs: [] }));
      }
      list.push(event("response.output_text.done", { ...where, text: part.text, logprobs: [] }));
      list.push(event("response.content_part.done", { ...where, part }));
    } else {
      list.push(event("response.function_call_arguments.delta", { ...at, delta: item.arguments }));
      list.push(
        event("response.function_call_arguments.done", {
          ...at,
          name: item.name,
          arguments: item.arguments,
        }),
      );
    }
    list.push(event("response.output_item.done", { output_index, item }));
  }
  return [...list, event(last, { response: value })];
};
export const responseStream = (output, more, last) =>
  events(responseEvents(responseValue(output, more), last), { done: false });
