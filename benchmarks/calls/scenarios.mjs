const model = "gpt-4.1-mini";

/** So many characters of plain English, different for every `seed`. */
function prose(length, seed) {
  const sentence = `The ${seed}th traveller asks for the weather, the way, and a place to sleep. `;
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);
}

function history(count, length) {
  return Array.from({ length: count }, (_, index) => ({
    role: index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant",
    content: prose(length, index),
  }));
}

const short = history(2, 2048);
const hundred = history(100, 370);
const megabyte = history(256, 4096);
const input = prose(4096, 1);
let turns = 0;

async function read(stream) {
  let chunks = 0;
  for await (const _chunk of stream) chunks += 1;
  return chunks;
}

function stream(chunks, calls, warmUp) {
  return {
    name: `chat stream, ${chunks.toLocaleString("en")} chunks`,
    calls,
    warmUp,
    runs: chunks > 10_000 ? 3 : 10,
    chunks,
    async run(client) {
      for (let call = 0; call < calls; call += 1) {
        const request = { model, messages: short, stream: true };
        await read(
          await client.chat.completions.create(request, { headers: { "x-chunks": `${chunks}` } }),
        );
      }
    },
  };
}

function same(name, calls, warmUp, messages) {
  return {
    name,
    calls,
    warmUp,
    async run(client) {
      for (let call = 0; call < calls; call += 1)
        await client.chat.completions.create({ model, messages });
    },
  };
}

/** The calls are made in a span of the app, so that none needs one around it. */
function inRun(scenario) {
  return { ...scenario, run: (client, within) => within(() => scenario.run(client)) };
}

/**
 * What is measured: `run` makes `calls` calls, one after the other, and reads every answer to its end; `within` opens a
 * span around what it is given. `warmUp` runs come first and don't count: by then everything is compiled.
 */
export const scenarios = [
  same("chat, 4 KiB", 100, 40, short),
  inRun(same("chat, 4 KiB, in a run of the app", 100, 40, short)),
  same("chat, 100 messages (37 KB)", 50, 10, hundred),
  inRun(same("chat, 100 messages, in a run of the app", 50, 10, hundred)),
  {
    // Conversations of 10 turns each around 100 messages; a turn adds the last answer and a question.
    name: "agent turn, 98 messages known and 2 new",
    calls: 100,
    warmUp: 40,
    async run(client) {
      for (let conversation = 0; conversation < 10; conversation += 1) {
        const messages = hundred.slice(0, 90);
        for (let turn = 0; turn < 10; turn += 1) {
          messages.push({ role: "user", content: prose(370, ++turns) });
          const { choices } = await client.chat.completions.create({ model, messages });
          messages.push(choices[0].message);
        }
      }
    },
  },
  {
    name: "responses, 4 KiB",
    calls: 100,
    warmUp: 40,
    async run(client) {
      for (let call = 0; call < 100; call += 1) await client.responses.create({ model, input });
    },
  },
  same("chat, 1 MB (256 messages)", 8, 4, megabyte),
  stream(200, 20, 40),
  stream(2_000, 2, 4),
  stream(20_000, 1, 4),
];
