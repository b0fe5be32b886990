// Streams that are read, in every way and at every pace.
import { Readable } from "node:stream";
import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import { chatStream, chunk, quietAfter, responseStream } from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";
import { collectGarbage } from "../perform.mjs";
import { read, readUntilError } from "../reading.mjs";
import { watched } from "../watched-fetch.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }], stream: true };
const input = { model: "m", input: "hi", stream: true };
const slowly = { pieceDelayMs: 4 };

/** A fetch that answers with these events, and notes whenever one is asked for. */
const pulled = (note, values) => async () => {
  const encoder = new TextEncoder();
  let at = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        note("pull", at);
        if (at === values.length) return controller.close();
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(values[at])}\n\n`));
        at += 1;
      },
      cancel: () => note("cancelled"),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

const chunks = (count) => Array.from({ length: count }, (_, n) => chunk({ content: `${n}` }));

export const streams = [
  {
    name: "a chat stream is the SDK's own and gives every chunk",
    answers: [chatStream()],
    server: { splitSeed: 3 },
    app: async ({ client, sdk }) => {
      const stream = await client.chat.completions.create(ask);
      const before = portrait(stream);
      return [stream instanceof sdk.Stream, before, await read(stream), portrait(stream)];
    },
    spans: ["chat m"],
  },
  {
    name: "a response stream is the SDK's own and gives every event",
    answers: [responseStream()],
    server: { splitSeed: 5 },
    app: async ({ client, sdk }) => {
      const stream = await client.responses.create(input);
      return [stream instanceof sdk.Stream, portrait(stream), await read(stream)];
    },
    spans: ["chat m"],
  },
  {
    name: "iterators are what they are",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      const levels = [];
      for (let at = iterator; at !== null; at = Object.getPrototypeOf(at)) {
        levels.push(Object.keys(at));
      }
      const kinds = [
        levels,
        Object.prototype.toString.call(iterator),
        iterator[Symbol.asyncIterator]() === iterator,
        ["next", "return", "throw"].map((name) => typeof iterator[name]),
        portrait(iterator.next()),
      ];
      return [kinds, await read(iterator)];
    },
    spans: ["chat m"],
  },
  {
    name: "return inside a function that loops",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const first = async () => {
        for await (const one of stream) return one;
      };
      return [await first(), stream.controller.signal.aborted];
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "tee: both branches at once",
    answers: [chatStream()],
    app: async ({ client }) => {
      const [left, right] = (await client.chat.completions.create(ask)).tee();
      return await Promise.all([read(left), read(right)]);
    },
    spans: ["chat m"],
  },
  {
    name: "tee: one branch alone",
    answers: [chatStream()],
    app: async ({ client }) => {
      const [only] = (await client.chat.completions.create(ask)).tee();
      await collectGarbage();
      return await read(only);
    },
    spans: ["chat m"],
  },
  {
    name: "tee: one branch is left early, the other read to its end",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const [left, right] = stream.tee();
      for await (const _ of left) break;
      return [await read(right), stream.controller.signal.aborted];
    },
    spans: 1,
  },
  {
    name: "tee: both branches are left early, then aborted",
    answers: [chatStream()],
    server: slowly,
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      for (const branch of stream.tee()) {
        for await (const _ of branch) break;
      }
      const before = stream.controller.signal.aborted;
      stream.controller.abort();
      return before;
    },
    spans: 1,
  },
  {
    name: "toReadableStream, read to its end",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      return await new Response(stream.toReadableStream()).text();
    },
    spans: ["chat m"],
  },
  {
    name: "toReadableStream, cancelled",
    answers: [chatStream()],
    server: slowly,
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const reader = stream.toReadableStream().getReader();
      const first = await reader.read();
      await reader.cancel();
      return [first.done, stream.controller.signal.aborted];
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "a stream through Node's own",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      return await read(Readable.from(stream));
    },
    spans: ["chat m"],
  },
  {
    name: "next() by hand to the end, and beyond",
    answers: [chatStream(1)],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      const all = [];
      for (let n = 0; n < 8; n++) all.push(await iterator.next());
      return [all, await iterator.return("late")];
    },
    spans: ["chat m"],
  },
  {
    name: "several next() at the same time",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      const first = await Promise.all([iterator.next(), iterator.next(), iterator.next()]);
      return [first, await read(iterator)];
    },
    spans: ["chat m"],
  },
  {
    name: "next() by hand, then return()",
    answers: [chatStream()],
    server: slowly,
    app: async ({ clientWith, note }) => {
      const client = clientWith({ fetch: watched(note) });
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      await iterator.next();
      const closed = iterator.return("enough");
      note("asked to close", stream.controller.signal.aborted);
      return [await closed, await iterator.next()];
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "return() before the first next()",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      const closed = await iterator.return("early");
      const aborted = stream.controller.signal.aborted;
      stream.controller.abort();
      return [closed, aborted];
    },
    spans: 1,
  },
  {
    name: "next() by hand, then throw()",
    answers: [chatStream()],
    server: slowly,
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      await iterator.next();
      const thrown = await outcome(() => iterator.throw(new RangeError("mine")));
      return [thrown, stream.controller.signal.aborted];
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "next() by hand, the iterator dropped, later aborted",
    answers: [quietAfter(600, chatStream())],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      const first = await iterator.next();
      stream.controller.abort();
      await sleep(10);
      return [first, await outcome(() => iterator.next())];
    },
    spans: ["chat m aborted"],
  },
  {
    name: "a stream read twice",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      return [await read(stream), await readUntilError(stream)];
    },
    spans: ["chat m"],
  },
  {
    name: "a stream that one loop leaves and another goes on with",
    answers: [chatStream()],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      for await (const _ of stream) break;
      return await readUntilError(stream);
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "a slow reader: nothing is read ahead",
    app: async ({ clientWith, note }) => {
      const client = clientWith({ fetch: pulled(note, chunks(6)) });
      for await (const one of await client.chat.completions.create(ask)) {
        note("got", one.choices[0].delta.content);
        await macrotask();
        await macrotask();
        note("next");
      }
    },
    spans: ["chat m"],
  },
  {
    name: "a reader that stops: nothing is read behind its back",
    app: async ({ clientWith, note }) => {
      const client = clientWith({ fetch: pulled(note, chunks(6)) });
      const stream = await client.chat.completions.create(ask);
      note("before");
      await macrotask();
      const iterator = stream[Symbol.asyncIterator]();
      note("got", await iterator.next());
      await sleep(5);
      note("closing");
      await iterator.return();
      await sleep(5);
    },
    spans: ["chat m cancelled"],
  },
  {
    name: "a tee with one slow branch",
    app: async ({ clientWith, note }) => {
      const client = clientWith({ fetch: pulled(note, chunks(4)) });
      const [fast, slow] = (await client.chat.completions.create(ask)).tee();
      const slowly = (async () => {
        for await (const one of slow) {
          note("slow", one.choices[0].delta.content);
          await sleep(3);
        }
      })();
      for await (const one of fast) note("fast", one.choices[0].delta.content);
      note("fast is done");
      await slowly;
    },
    spans: ["chat m"],
  },
  {
    name: "raw bytes of a slow reader",
    app: async ({ clientWith, note }) => {
      const client = clientWith({ fetch: pulled(note, chunks(3)) });
      const raw = await client.chat.completions.create(ask).asResponse();
      await macrotask();
      note("reading");
      return await raw.text();
    },
    spans: ["chat m raw_response"],
  },
  {
    name: "five thousand chunks",
    app: async ({ clientWith }) => {
      const line = new TextEncoder().encode(`data: ${JSON.stringify(chunk({ content: "x" }))}\n\n`);
      let left = 5_000;
      const body = new ReadableStream({
        pull: (controller) => (left-- > 0 ? controller.enqueue(line) : controller.close()),
      });
      const client = clientWith({ fetch: async () => new Response(body) });
      let count = 0;
      for await (const _ of await client.chat.completions.create(ask)) count += 1;
      return count;
    },
    spans: ["chat m"],
  },
];
