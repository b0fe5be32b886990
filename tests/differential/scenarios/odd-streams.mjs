// What apps do with streams that the authors of the SDK did not think of first.
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { chat, chatStream, chunk, events, lastChunk, silence, usageChunk } from "../answers.mjs";
import { outcome } from "../noticed.mjs";
import { read } from "../reading.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const stream = { ...ask, stream: true };
const slowly = { pieceDelayMs: 4 };

/** Takes so many chunks, and breaks on the next one. */
const sink = (note, most) =>
  new Writable({
    objectMode: true,
    write(one, _, done) {
      note("wrote", one.choices.length);
      most -= 1;
      done(most < 0 ? new RangeError("full") : null);
    },
  });

/** A generator of the app that hands a stream on. */
async function* handedOn(source, note) {
  try {
    note("gave", yield* source);
  } finally {
    note("left");
  }
}

export const oddStreams = [
  {
    name: "a raw stream that the app parses by the SDK's own Stream",
    answers: [chatStream(2)],
    app: async ({ client, sdk }) => {
      const raw = await client.chat.completions.create(stream).asResponse();
      return read(sdk.Stream.fromSSEResponse(raw, new AbortController()));
    },
    spans: ["chat m raw_response"],
  },
  {
    name: "a stream sent through toReadableStream and made a Stream again",
    answers: [chatStream(2)],
    app: async ({ client, sdk }) => {
      const answer = await client.chat.completions.create(stream);
      return read(sdk.Stream.fromReadableStream(answer.toReadableStream(), new AbortController()));
    },
    spans: ["chat m"],
  },
  {
    name: "a stream in a pipeline of Node's, to its end",
    answers: [chatStream(3)],
    app: async ({ client, note }) =>
      pipeline(Readable.from(await client.chat.completions.create(stream)), sink(note, 99)),
    spans: ["chat m"],
  },
  {
    name: "a stream in a pipeline of Node's that is destroyed",
    answers: [chatStream(3)],
    server: slowly,
    app: async ({ client, note }) => {
      const cut = await client.chat.completions.create(stream);
      const end = await outcome(() => pipeline(Readable.from(cut), sink(note, 1)));
      return [end, cut.controller.signal.aborted];
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "a stream handed on by yield*, to its end",
    answers: [chatStream(2)],
    app: async ({ client, note }) =>
      read(handedOn(await client.chat.completions.create(stream), note)),
    spans: ["chat m"],
  },
  {
    name: "a stream handed on by yield*, left, and thrown into",
    answers: [chatStream(2), chatStream(2)],
    server: slowly,
    app: async ({ client, note }) => {
      const create = () => client.chat.completions.create(stream);
      const left = await create();
      for await (const _ of handedOn(left, note)) break;
      const thrown = await create();
      const generator = handedOn(thrown, note);
      await generator.next();
      const end = await outcome(() => generator.throw(new RangeError("into")));
      return [left.controller.signal.aborted, end, thrown.controller.signal.aborted];
    },
    spans: ["chat m cancelled", "chat m cancelled"],
  },
  {
    name: "a stream left after its last words, before its usage",
    answers: [events([chunk({ content: "a" }), lastChunk(), usageChunk])],
    server: slowly,
    app: async ({ client }) => {
      const answer = await client.chat.completions.create({
        ...stream,
        stream_options: { include_usage: true },
      });
      for await (const one of answer) if (one.choices[0]?.finish_reason) break;
      return answer.controller.signal.aborted;
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "next() raced against a clock, then given up",
    answers: [events([chunk({ content: "a" })]), silence],
    app: async ({ clientWith, note }) => {
      let close;
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(
            new TextEncoder().encode(`data: ${JSON.stringify(chunk({ content: "a" }))}\n\n`),
          );
          close = () => controller.close();
        },
        cancel: () => note("cancelled"),
      });
      const client = clientWith({ fetch: async () => new Response(body) });
      const answer = await client.chat.completions.create(stream);
      const iterator = answer[Symbol.asyncIterator]();
      const first = await iterator.next();
      const waiting = iterator.next();
      const raced = await Promise.race([waiting, sleep(20, "late")]);
      close();
      return [first, raced, await waiting, await iterator.return?.()];
    },
    spans: ["chat m"],
  },
  {
    name: "fifty streams at the same time, read in turns",
    answers: Array.from({ length: 50 }, () => chatStream(3)),
    app: async ({ client }) => {
      const streams = await Promise.all(
        Array.from({ length: 50 }, () => client.chat.completions.create(stream)),
      );
      const iterators = streams.map((one) => one[Symbol.asyncIterator]());
      let open = iterators;
      let count = 0;
      while (open.length > 0) {
        const results = await Promise.all(open.map((one) => one.next()));
        count += results.filter(({ done }) => !done).length;
        open = open.filter((_, at) => !results[at].done);
      }
      return count;
    },
    spans: 50,
  },
  {
    name: "a call inside the handler of another call's stream, and inside its fetch",
    answers: [chatStream(1), chat(), chat(), chat()],
    app: async ({ client, clientWith }) => {
      const all = [];
      for await (const _ of await client.chat.completions.create(stream)) {
        if (all.length === 0) all.push(await client.chat.completions.create(ask));
      }
      const nesting = clientWith({
        fetch: async (url, init) => {
          await client.chat.completions.create(ask);
          return fetch(url, init);
        },
      });
      return [all, await nesting.chat.completions.create(ask)];
    },
    spans: 4,
  },
];
