// Streams: whoever reads them, however far, and whatever becomes of them.
import { Readable } from "node:stream";
import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import {
  callItem,
  callPart,
  chatStream,
  chunk,
  cutAfter,
  events,
  finalRefusal,
  lastChunk,
  quietAfter,
  reply,
  response,
  responseEvents,
  responseStream,
  responseValue,
  silence,
  textItem,
  usageChunk,
} from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";
import { collectGarbage } from "../perform.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }], stream: true };
const input = { model: "m", input: "hi", stream: true };
const slowly = { pieceDelayMs: 4 };

const read = async (stream) => {
  const all = [];
  for await (const one of stream) all.push(one);
  return all;
};

/** Chunks until the stream throws, and what it threw. */
const readUntilError = async (stream) => {
  const all = [];
  const end = await outcome(async () => {
    for await (const one of stream) all.push(one);
  });
  return [all, end];
};

/** A fetch that notes when the request behind it is given up. */
const watched = (note) => (url, init) => {
  init.signal?.addEventListener("abort", () => note("upstream aborted"));
  return fetch(url, init);
};

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
      const kinds = [
        Object.prototype.toString.call(iterator),
        iterator[Symbol.asyncIterator]() === iterator,
        ["next", "return", "throw"].map((name) => typeof iterator[name]),
        portrait(iterator.next()),
      ];
      return [kinds, await read(iterator)];
    },
    spans: ["chat m"],
  },
  ...[
    ["chat", (client) => client.chat.completions.create(ask), chatStream()],
    ["response", (client) => client.responses.create(input), responseStream()],
  ].flatMap(([kind, create, answer]) => [
    {
      name: `break out of a ${kind} stream gives the request up in the same tick`,
      answers: [answer],
      server: slowly,
      app: async ({ clientWith, note }) => {
        const stream = await create(clientWith({ fetch: watched(note) }));
        for await (const one of stream) {
          note("chunk", one);
          queueMicrotask(() => note("a microtask later"));
          break;
        }
        note("left", stream.controller.signal.aborted);
        await macrotask();
        note("a macrotask later");
      },
      spans: ["chat m cancelled"],
    },
    {
      name: `a throw in the loop over a ${kind} stream`,
      answers: [answer],
      server: slowly,
      app: async ({ clientWith, note }) => {
        const stream = await create(clientWith({ fetch: watched(note) }));
        const thrown = await outcome(async () => {
          for await (const _ of stream) throw new Error("mine");
        });
        return [thrown, stream.controller.signal.aborted];
      },
      spans: ["chat m cancelled"],
    },
    {
      name: `controller.abort() in the loop over a ${kind} stream`,
      answers: [answer],
      server: slowly,
      app: async ({ clientWith, note }) => {
        const stream = await create(clientWith({ fetch: watched(note) }));
        let count = 0;
        const end = await outcome(async () => {
          for await (const _ of stream) {
            if (++count === 2) stream.controller.abort();
          }
        });
        return [count, end];
      },
      spans: ["chat m aborted"],
    },
    {
      name: `an abort signal in the middle of a ${kind} stream`,
      answers: [answer],
      server: slowly,
      app: async ({ client }) => {
        const controller = new AbortController();
        const options = { signal: controller.signal };
        const stream = await (kind === "chat"
          ? client.chat.completions.create(ask, options)
          : client.responses.create(input, options));
        let count = 0;
        const end = await outcome(async () => {
          for await (const _ of stream) if (++count === 2) controller.abort();
        });
        return [count, end, stream.controller.signal.aborted];
      },
      spans: ["chat m aborted"],
    },
    {
      name: `a ${kind} stream whose socket is cut`,
      answers: [cutAfter(900, answer)],
      app: async ({ client }) => readUntilError(await create(client)),
      spans: 1,
    },
    {
      name: `a ${kind} stream that is never read`,
      answers: [answer],
      app: async ({ client, requested }) => {
        await create(client);
        await requested(1);
      },
      spans: ["chat m abandoned"],
    },
    {
      name: `a ${kind} stream is refused`,
      answers: [finalRefusal(401)],
      app: ({ client }) => outcome(() => create(client)),
      spans: ["chat m error c401"],
    },
    {
      name: `tee of a ${kind} stream, both branches in turn`,
      answers: [answer],
      app: async ({ client, sdk }) => {
        const [left, right] = (await create(client)).tee();
        const own = [left instanceof sdk.Stream, right instanceof sdk.Stream];
        return [own, await read(left), await read(right)];
      },
      spans: ["chat m"],
    },
  ]),
  {
    name: "a cut while the app is busy with a chunk is its own to notice",
    answers: [cutAfter(500, chatStream())],
    app: async ({ client, note }) => {
      const stream = await client.chat.completions.create(ask);
      return await outcome(async () => {
        for await (const _ of stream) {
          note("chunk");
          await sleep(15);
        }
      });
    },
    spans: 1,
  },
  {
    name: "a stream that is cut and nobody reads any more",
    answers: [cutAfter(500, chatStream())],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      const iterator = stream[Symbol.asyncIterator]();
      await iterator.next();
      await sleep(20);
      return "gone";
    },
    spans: ["chat m abandoned"],
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
    name: "an abort signal before the head of the answer",
    answers: [silence],
    app: async ({ client, requested }) => {
      const controller = new AbortController();
      const promise = client.chat.completions.create(ask, { signal: controller.signal });
      void requested(1).then(() => controller.abort());
      return await outcome(() => promise);
    },
    spans: ["chat m aborted"],
  },
  {
    name: "a signal that is aborted already",
    app: ({ client }) => {
      const options = { signal: AbortSignal.abort(new RangeError("mine")) };
      return outcome(() => client.chat.completions.create(ask, options));
    },
    spans: ["chat m aborted"],
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
    name: "a stream that is aborted and never read",
    answers: [quietAfter(600, chatStream())],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      stream.controller.abort();
    },
    spans: ["chat m aborted"],
  },
  {
    name: "a stream that is aborted first and read then",
    answers: [quietAfter(600, chatStream())],
    app: async ({ client }) => {
      const stream = await client.chat.completions.create(ask);
      stream.controller.abort();
      // openai 4 waits for ever.
      return await Promise.race([readUntilError(stream), sleep(200, "waits")]);
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
    name: "an error event in a stream that began well",
    answers: [
      events([
        chunk({ content: "a" }),
        { error: { message: "broke", type: "server_error", code: "broken" } },
      ]),
    ],
    app: async ({ client }) => readUntilError(await client.chat.completions.create(ask)),
    spans: 1,
  },
  {
    name: "an error event in a response stream",
    answers: [
      events(
        [
          ...responseEvents(responseValue()).slice(0, 3),
          {
            type: "error",
            code: "server_error",
            message: "broke",
            param: null,
            sequence_number: 3,
          },
        ],
        { done: false },
      ),
    ],
    app: async ({ client }) => readUntilError(await client.responses.create(input)),
    spans: 1,
  },
  ...["failed", "incomplete", "queued"].map((status) => ({
    name: `a response that ends as ${status}`,
    answers: [
      responseStream(
        [textItem("Half")],
        {
          status,
          ...(status === "failed" && { error: { code: "server_error", message: "broke" } }),
          ...(status === "incomplete" && { incomplete_details: { reason: "max_output_tokens" } }),
        },
        `response.${status}`,
      ),
    ],
    app: async ({ client }) => readUntilError(await client.responses.create(input)),
    spans: 1,
  })),
  {
    name: "no [DONE] at the end",
    answers: [events([chunk({ content: "a" }), lastChunk()], { done: false })],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "a chunk without choices, an empty one, one of no known kind",
    answers: [
      events([
        { id: "c", model: "m-1" },
        {},
        { object: "nothing.known", choices: null },
        chunk({ content: "a" }),
        lastChunk(),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "usage in a last chunk of its own, and none at all",
    answers: [events([chunk({ content: "a" }), usageChunk]), events([chunk({ content: "a" })])],
    app: async ({ client }) => [
      await read(
        await client.chat.completions.create({ ...ask, stream_options: { include_usage: true } }),
      ),
      await read(await client.chat.completions.create(ask)),
    ],
    spans: ["chat m", "chat m"],
  },
  {
    name: "two choices in turns",
    answers: [
      events([
        chunk({ content: "a" }),
        chunk({ content: "b" }, {}, { index: 1 }),
        chunk({ content: "c" }),
        chunk({}, {}, { index: 1, finish_reason: "length" }),
        lastChunk(),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create({ ...ask, n: 2 })),
    spans: ["chat m"],
  },
  {
    name: "parallel tool calls, one after the other",
    answers: [
      events([
        callPart(0, "", "add"),
        callPart(0, '{"a":1}'),
        callPart(1, "", "sub"),
        callPart(1, '{"b":2}'),
        lastChunk("tool_calls"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "parallel tool calls whose parts interleave",
    answers: [
      events([
        callPart(0, "", "add"),
        callPart(1, "", "sub"),
        callPart(0, '{"a":'),
        callPart(1, '{"b":'),
        callPart(0, "1}"),
        callPart(1, "2}"),
        lastChunk("tool_calls"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "refusals, logprobs and audio",
    answers: [
      events([
        chunk({ refusal: "I " }),
        chunk({ refusal: "can't" }),
        chunk(
          { content: "x" },
          {},
          {
            logprobs: {
              content: [{ token: "x", logprob: -1, bytes: null, top_logprobs: [] }],
              refusal: null,
            },
          },
        ),
        chunk({ audio: { id: "a", transcript: "x", data: "AAAA" } }),
        lastChunk("content_filter"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "an event that is no JSON",
    answers: [events([chunk({ content: "a" }), "{not json", chunk({ content: "b" })])],
    app: async ({ clientWith }) => {
      const client = clientWith({ logLevel: "off" });
      const { error } = console;
      console.error = () => {};
      try {
        return await readUntilError(await client.chat.completions.create(ask));
      } finally {
        console.error = error;
      }
    },
    spans: 1,
  },
  {
    name: "a stream without a single event",
    answers: [reply(""), reply("data: [DONE]\n\n"), reply(": only a comment\n\n")],
    app: async ({ client }) => {
      const all = [];
      for (let n = 0; n < 3; n++)
        all.push(await readUntilError(await client.chat.completions.create(ask)));
      return all;
    },
    spans: 3,
  },
  {
    name: "a response in the background, fetched again where it stopped",
    needs: ({ OpenAI }) => typeof OpenAI.Responses?.prototype.retrieve === "function",
    answers: [
      events(responseEvents(responseValue()).slice(0, 3), { done: false }),
      responseStream(),
      response(),
    ],
    app: async ({ client }) => {
      const stream = await client.responses.create({ ...input, background: true });
      const first = await read(stream);
      const second = await outcome(async () =>
        read(await client.responses.retrieve("resp_1", { stream: true, starting_after: 2 })),
      );
      return [first, second, await client.responses.retrieve("resp_1")];
    },
  },
  {
    name: "items and events that nobody knows, in and out",
    answers: [
      response([{ type: "from_the_future", id: "x", payload: [1] }, textItem("a")]),
      events(
        [
          ...responseEvents(responseValue()).slice(0, 2),
          { type: "response.telepathy", thought: {} },
          ...responseEvents(responseValue()).slice(2),
        ],
        { done: false },
      ),
    ],
    app: async ({ client }) => [
      await client.responses.create({
        model: "m",
        input: [
          { type: "also_unknown", x: 1 },
          { role: "user", content: "x" },
        ],
      }),
      await read(await client.responses.create(input)),
    ],
    spans: ["chat m", "chat m"],
  },
  {
    name: "tool calls in a response stream",
    answers: [responseStream([callItem("add", '{"a":1}'), callItem("sub", '{"b":2}')])],
    app: async ({ client }) => read(await client.responses.create(input)),
    spans: ["chat m"],
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
