import { history, model, plainPart, prose } from "./texts.mjs";

const short = history(2, 2048);
const hundred = history(100, 370);
const megabyte = history(256, 4096);
const hundredAsText = JSON.stringify(hundred);
const question = prose(4096, 1);

/** So many pieces of an answer. */
const pieces = (count) => ({ headers: { "x-chunks": `${count}` } });

/** The texts of the first and the last message. */
const ends = (messages) =>
  [messages.at(0), messages.at(-1)].map(({ content }) => plainPart(content));

/** Reads a stream to its end; `onChunk` hears of each chunk. */
async function read(stream, onChunk) {
  let chunks = 0;
  for await (const _chunk of stream) onChunk?.(++chunks);
}

function chat(name, calls, messages) {
  return {
    name,
    calls,
    call: (client) => client.chat.completions.create({ model, messages }),
    texts: ends(messages),
  };
}

function chatStream(count, calls) {
  const request = { model, messages: short, stream: true, stream_options: { include_usage: true } };
  return {
    name: `chat stream, ${count.toLocaleString("en")} chunks`,
    calls,
    chunks: count,
    call: async (client, onChunk) =>
      read(await client.chat.completions.create(request, pieces(count)), onChunk),
    texts: ends(short),
  };
}

function responses(name, calls, input) {
  return {
    name,
    calls,
    call: (client) => client.responses.create({ model, input }),
    texts: typeof input === "string" ? [plainPart(input)] : ends(input),
  };
}

/** Conversations of ten turns, each 98 known messages and two new ones in the middle of them; each client has its own. */
function agentTurns() {
  const conversations = new WeakMap();
  return {
    name: "agent turn: 98 messages known, 2 new",
    calls: 50,
    async call(client) {
      const { turns, messages } = conversations.get(client) ?? { turns: 0, messages: [] };
      const conversation = turns % 10 === 0 ? hundred.slice(0, 90) : messages;
      conversations.set(client, { turns: turns + 1, messages: conversation });
      conversation.push({ role: "user", content: prose(370, turns + 1001) });
      const answer = await client.chat.completions.create({ model, messages: conversation });
      conversation.push(answer.choices[0].message);
    },
    texts: [plainPart(hundred[0].content), plainPart(prose(370, 1001))],
  };
}

/** The history comes from somewhere else for every call, as from a database: no object of it was seen before. */
const newObjects = {
  name: "100 messages, all new objects",
  calls: 30,
  call: (client) => client.chat.completions.create({ model, messages: JSON.parse(hundredAsText) }),
  texts: ends(hundred),
};

const short4 = chat("chat, 4 KiB", 100, short);
const hundred37 = chat("chat, 100 messages (37 KB)", 50, hundred);

/** The same with a span of the app around each ten calls, so that none needs a run of its own. */
function inRun(scenario) {
  return { ...scenario, name: `${scenario.name}, in a run of the app`, callsInRun: 10 };
}

/**
 * What is measured: `call` makes one call and reads its answer to the end, a block has `calls` of them. `texts` are what
 * a complete recording of its first call holds of the input.
 */
export const scenarios = [
  short4,
  hundred37,
  agentTurns(),
  chatStream(200, 5),
  responses("responses, 4 KiB", 100, question),
  responses("responses, 100 items", 50, hundred),
  chat("chat, 1 MB of context (256 messages)", 3, megabyte),
  {
    name: "responses stream, 200 chunks",
    calls: 5,
    call: async (client) =>
      read(await client.responses.create({ model, input: question, stream: true }, pieces(200))),
    texts: [plainPart(question)],
  },
  newObjects,
  inRun(short4),
  inRun(hundred37),
  inRun(agentTurns()),
  chatStream(2_000, 2),
  chatStream(20_000, 1),
];

/** Contexts of 1 MB of which the app keeps nothing: calls that wait must not fill the memory. */
export const largeContexts = {
  call: (client) => client.chat.completions.create({ model, messages: structuredClone(megabyte) }),
};

/** A stream that must not fill the memory. */
export const longStream = chatStream(100_000, 1);
