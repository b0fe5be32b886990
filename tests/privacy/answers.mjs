// What the model answers the app, with what is planted in it; in the order of the app's calls.
import { text } from "./plants.mjs";

const events = (...payloads) =>
  `${payloads.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;

const usage = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
const chat = (message, more = {}) => ({
  id: "c1",
  model: "m-1",
  choices: [
    { index: 0, finish_reason: "stop", message: { role: "assistant", content: null, ...message } },
  ],
  usage,
  ...more,
});
const call = (args) => ({
  id: "call_planted",
  type: "function",
  function: { name: "find", arguments: args },
});

/** Five characters a chunk. */
const pieces = (whole) => whole.match(/[\s\S]{1,5}/g);
const chunk = (delta, finish = null) => ({
  id: "c2",
  object: "chat.completion.chunk",
  model: "m-1",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const response = (output, more = {}) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "m-1",
  output,
  ...more,
});
const message = (said) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: said, annotations: [] }],
});

export const answers = () => [
  [
    "/v1/chat/completions",
    chat({
      content: text("chat answer"),
      refusal: text("chat answer's refusal"),
      reasoning_content: text("chat answer's reasoning"),
    }),
  ],
  [
    "/v1/chat/completions",
    chat({
      tool_calls: [call(JSON.stringify({ q: text("chat answer's tool call arguments") }))],
    }),
  ],
  [
    "/v1/chat/completions",
    events(
      chunk({ role: "assistant", content: "" }),
      ...pieces(text("streamed chat answer")).map((content) => chunk({ content })),
      chunk({}, "stop"),
    ),
  ],
  [
    "/v1/chat/completions",
    events(
      chunk({ tool_calls: [{ index: 0, ...call("") }] }),
      ...pieces(JSON.stringify({ q: text("streamed chat tool call arguments") })).map((part) =>
        chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
      ),
      chunk({}, "tool_calls"),
    ),
  ],
  [
    "/v1/responses",
    response([
      {
        id: "rs_1",
        type: "reasoning",
        summary: [{ type: "summary_text", text: text("responses reasoning summary") }],
      },
      message(text("responses answer")),
    ]),
  ],
  [
    "/v1/responses",
    events(
      { type: "response.created", response: response([], { id: "resp_2", status: "in_progress" }) },
      ...pieces(text("streamed responses answer")).map((delta) => ({
        type: "response.output_text.delta",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta,
      })),
      {
        type: "response.completed",
        response: response([message(text("streamed responses answer"))], { id: "resp_2" }),
      },
    ),
  ],
  [
    "/v1/completions",
    {
      id: "cmpl_1",
      model: "m-1",
      choices: [{ index: 0, text: text("completion answer"), finish_reason: "stop" }],
      usage,
    },
  ],
  ["/v1/embeddings", { model: "e-1", data: [{ index: 0, embedding: [0.25] }], usage }],
  [
    "/v1/chat/completions",
    {
      error: {
        message: text("error message of a 400"),
        type: "invalid_request_error",
        code: "bad",
        param: "messages",
      },
    },
    { status: 400 },
  ],
  [
    "/v1/chat/completions",
    events(chunk({ content: "So" }), {
      error: { message: text("error event of a stream"), code: "late" },
    }),
  ],
];
