// The agent of seed 004 in small: a graph of nodes, one run for each message that comes in, two of them at once.
//
//     app.mjs completed|concurrent|failed|aborted|killed
import { setTimeout as sleep } from "node:timers/promises";
import { traceNodes, withRun } from "@thoughtflow/tracing";
import OpenAI from "openai";

const [, , how] = process.argv;

const call = {
  id: "call_abc123",
  type: "function",
  function: { name: "get_weather", arguments: '{"location":"New York"}' },
};

/** What the model answers: first that it wants a tool, then a text. */
function completion({ messages }) {
  const isAsked = messages.some(({ role }) => role === "tool");
  const message = isAsked
    ? { role: "assistant", content: "It is 18 degrees.", refusal: null }
    : {
        role: "assistant",
        content: "I can check that for you.",
        refusal: null,
        tool_calls: [call],
      };
  return {
    id: isAsked ? "chatcmpl-2" : "chatcmpl-1",
    object: "chat.completion",
    created: 1_767_225_600,
    model: "gpt-5-mini-2025-08-07",
    choices: [
      { index: 0, message, finish_reason: isAsked ? "stop" : "tool_calls", logprobs: null },
    ],
    usage: { prompt_tokens: 82, completion_tokens: 18, total_tokens: 100 },
  };
}

const openai = new OpenAI({
  apiKey: "sk-test",
  fetch: async (_url, { body }) => Response.json(completion(JSON.parse(body))),
});

const request = {
  model: "gpt-5-mini",
  tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }],
  tool_choice: "auto",
  temperature: 0.7,
};

const nodes = traceNodes({
  ingestMessage: async ({ input }) => ({
    messages: [
      { role: "system", content: "You are a helpful assistant." },
      { role: "user", content: input.Body },
    ],
  }),
  async routeIntent({ messages }) {
    const asked = await openai.chat.completions.create({ ...request, messages });
    const next = [
      ...messages,
      asked.choices[0].message,
      { role: "tool", tool_call_id: call.id, content: "18 degrees" },
    ];
    const said = await openai.chat.completions.create({ ...request, messages: next });
    return { assistantReply: said.choices[0].message.content };
  },
  async sendReply() {
    if (how === "failed") throw new Error("the reply was refused", { cause: new Error("421") });
    if (how === "aborted")
      throw new DOMException("The user left.", { name: "AbortError", cause: new Error("hung up") });
    if (how === "killed") {
      // A tenth of a second after its start a step that is still open is told.
      await sleep(1000);
      process.kill(process.pid, "SIGKILL");
    }
    return { pending: "NONE" };
  },
});

async function runAgent(id) {
  const initialState = { input: { MessageSid: id, Body: "What is the weather in New York?" } };
  const options = { id, user: "user-1", session: `conversation-${how}`, initialState };
  await withRun(options, async (run) => {
    let state = { graphRunId: id, ...initialState };
    for (const node of Object.values(nodes)) state = { ...state, ...(await node(state)) };
    const { messages: _, ...finalState } = state;
    run.setFinalState(finalState);
  });
}

const ids = how === "concurrent" ? ["SM1", "SM2"] : [`SM-${how}`];
await Promise.allSettled(ids.map(runAgent));
