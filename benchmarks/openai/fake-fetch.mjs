import { answer, model, tokens } from "./texts.mjs";

const encoder = new TextEncoder();

const chatUsage = {
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
};

const responsesUsage = {
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
};

const chatAnswer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model,
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: answer, refusal: null },
    },
  ],
  usage: chatUsage,
});

const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: answer, annotations: [] }],
};

function responseOf(status, output, usage) {
  return { id: "resp_1", object: "response", created_at: 1, status, model, output, usage };
}

const responsesAnswer = JSON.stringify(responseOf("completed", [message], responsesUsage));

function chatEvent(fields) {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, ...fields };
  return encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
}

function chatDelta(delta, finish_reason = null) {
  return chatEvent({ choices: [{ index: 0, delta, finish_reason }] });
}

/** As the API streams it with `include_usage`: text in pieces, why it ended, usage, the end. */
const chatStream = {
  begin: [chatDelta({ role: "assistant", content: "", refusal: null })],
  delta: (text) => chatDelta({ content: text }),
  end: () => [
    chatDelta({}, "stop"),
    chatEvent({ choices: [], usage: chatUsage }),
    encoder.encode("data: [DONE]\n\n"),
  ],
};

let sequence = 0;

function responsesEvent(type, fields) {
  const event = { type, sequence_number: sequence++, ...fields };
  return encoder.encode(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
}

const at = { item_id: "msg_1", output_index: 0, content_index: 0 };

const responsesStream = {
  begin: [
    responsesEvent("response.created", { response: responseOf("in_progress", [], null) }),
    responsesEvent("response.output_item.added", {
      output_index: 0,
      item: { ...message, status: "in_progress", content: [] },
    }),
  ],
  delta: (text) =>
    responsesEvent("response.output_text.delta", { ...at, delta: text, logprobs: [] }),
  end(text) {
    const content = [{ type: "output_text", text, annotations: [] }];
    const item = { ...message, content };
    return [
      responsesEvent("response.output_text.done", { ...at, text, logprobs: [] }),
      responsesEvent("response.output_item.done", { output_index: 0, item }),
      responsesEvent("response.completed", {
        response: responseOf("completed", [item], responsesUsage),
      }),
    ];
  },
};

/** The answer in so many pieces, over and over for a long one, each as the bytes of an event. */
function eventsOf({ begin, delta, end }, count) {
  const words = answer.split(/(?<= )/);
  const text = Array.from({ length: count }, (_, index) => words[index % words.length]);
  const pieces = new Map(words.map((word) => [word, delta(word)]));
  return [...begin, ...text.map((word) => pieces.get(word)), ...end(text.join(""))];
}

const streams = new Map();

function streamOf(form, count) {
  const key = `${form === chatStream} ${count}`;
  const known = streams.get(key) ?? eventsOf(form, count);
  streams.set(key, known);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(known[sent]);
      if (++sent === known.length) controller.close();
    },
  });
}

const json = { headers: { "content-type": "application/json", "x-request-id": "req_1" } };
const events = { headers: { "content-type": "text/event-stream", "x-request-id": "req_1" } };

/** Stands for the network: answers at once. The header `x-chunks` says how many pieces a stream has. */
export async function fakeFetch(url, { headers }) {
  const isResponses = String(url).endsWith("/responses");
  const chunks = new Headers(headers).get("x-chunks");
  if (chunks === null) return new Response(isResponses ? responsesAnswer : chatAnswer, json);
  return new Response(streamOf(isResponses ? responsesStream : chatStream, Number(chunks)), events);
}
