const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };

const chatAnswer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4.1-mini-2025-04-14",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: "All is well. ".repeat(80), refusal: null },
    },
  ],
  usage,
});

const responsesAnswer = JSON.stringify({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "gpt-4.1-mini-2025-04-14",
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "All is well. ".repeat(80), annotations: [] }],
    },
  ],
  usage: { input_tokens: 1000, output_tokens: 200, total_tokens: 1200 },
});

const encoder = new TextEncoder();

function event(fields) {
  const chunk = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-4.1-mini-2025-04-14",
    ...fields,
  };
  return encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
}

const delta = event({
  choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }],
});
const ending = [
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  event({ choices: [], usage }),
  encoder.encode("data: [DONE]\n\n"),
];

/** Server-sent events, each in a piece of its own: `count` of them with text, then the end. */
function streamed(count) {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(sent < count ? delta : ending[sent - count]);
      if (++sent === count + ending.length) controller.close();
    },
  });
}

const json = { headers: { "content-type": "application/json", "x-request-id": "req_1" } };
const events = { headers: { "content-type": "text/event-stream", "x-request-id": "req_1" } };

/** Stands for the network: answers at once. `x-chunks` says how long a stream is to be. */
export async function fakeFetch(url, { headers }) {
  const chunks = new Headers(headers).get("x-chunks");
  if (chunks !== null) return new Response(streamed(Number(chunks)), events);
  return new Response(String(url).endsWith("/responses") ? responsesAnswer : chatAnswer, json);
}
