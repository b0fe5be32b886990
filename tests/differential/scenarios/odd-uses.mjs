// What apps do with the SDK that its authors did not think of first.
import { getEventListeners } from "node:events";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import { inspect, types } from "node:util";
import {
  callPart,
  chat,
  chatStream,
  chunk,
  events,
  finalRefusal,
  lastChunk,
  refusal,
  reply,
  response,
  responseEvents,
  responseStream,
  responseValue,
  silence,
  usageChunk,
} from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const stream = { ...ask, stream: true };
const input = { model: "m", input: "hi" };
const slowly = { pieceDelayMs: 4 };
const read = async (source) => {
  const all = [];
  for await (const one of source) all.push(one);
  return all;
};
const readUntilError = async (source) => {
  const all = [];
  const end = await outcome(async () => {
    for await (const one of source) all.push(one);
  });
  return [all, end];
};
const wire =
  (body, type = "application/json") =>
  async () =>
    new Response(body, { headers: { "content-type": type } });

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

export const oddUses = [
  {
    name: "a promise as others see it: inspected, as JSON, by its type",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      const before = [types.isPromise(promise), JSON.stringify(promise), `${promise}`];
      const isOther = Promise.resolve(promise) === promise;
      const answer = await promise;
      return [before, isOther, inspect(answer, { depth: 9 }), structuredClone({ ...answer })];
    },
    spans: ["chat m"],
  },
  {
    name: "a promise given to all, allSettled, any and race at once",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      const all = await Promise.all([
        Promise.all([promise, promise]),
        Promise.allSettled([promise]),
        Promise.any([promise]),
        Promise.race([promise]),
        (async () => promise)(),
      ]);
      return [all, all[0][0] === all[2], all[2] === all[4]];
    },
    spans: ["chat m"],
  },
  {
    name: "thenables and callbacks that throw in a handler",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      return [
        await outcome(() =>
          promise.then(() => {
            throw new RangeError("mine");
          }),
        ),
        await outcome(() => promise.then(null, undefined)),
        await outcome(() => promise.finally(() => Promise.reject(new TypeError("late")))),
      ];
    },
    spans: ["chat m"],
  },
  {
    name: "withResponse and asResponse before, between and after each other",
    answers: [chat(), chat()],
    app: async ({ client, note }) => {
      const first = client.chat.completions.create(ask);
      const [one, two] = await Promise.all([first.withResponse(), first.withResponse()]);
      note(one.data === two.data, one.response === two.response, one.request_id);
      const second = client.chat.completions.create(ask);
      const raw = await second.asResponse();
      return [raw.bodyUsed, await raw.json(), await outcome(() => second)];
    },
    spans: 2,
  },
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
    name: "what listens to a signal before, while and after it is used",
    answers: [chatStream(2), chat()],
    app: async ({ client }) => {
      const { signal } = new AbortController();
      const count = () => getEventListeners(signal, "abort").length;
      const counts = [count()];
      const answer = await client.chat.completions.create(stream, { signal });
      counts.push(count());
      await read(answer);
      counts.push(count());
      await client.chat.completions.create(ask, { signal });
      counts.push(count());
      return counts;
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "an abort with a reason of one's own, before and in the middle",
    answers: [silence, chatStream(4)],
    server: slowly,
    app: async ({ client, requested }) => {
      const before = new AbortController();
      const early = client.chat.completions.create(ask, { signal: before.signal });
      const failed = outcome(() => early);
      await requested(1);
      before.abort(new RangeError("enough"));
      const middle = new AbortController();
      const answer = await client.chat.completions.create(stream, { signal: middle.signal });
      const seen = [];
      const end = await outcome(async () => {
        for await (const one of answer) {
          seen.push(one);
          middle.abort("a text");
        }
      });
      // How much had come by then is the network's to say.
      return [await failed, seen.length > 0, end];
    },
    spans: ["chat m aborted", "chat m aborted"],
  },
  {
    name: "an abort while the SDK waits to try again",
    answers: [refusal(503, { headers: { "retry-after-ms": "300" } }), chat()],
    app: async ({ client, requested }) => {
      const controller = new AbortController();
      const call = outcome(() =>
        client.chat.completions.create(ask, { signal: controller.signal }),
      );
      await requested(1);
      await sleep(20);
      controller.abort();
      return call;
    },
    spans: 1,
  },
  {
    name: "an api key from a function: given, late, thrown and rejected",
    needs: ({ version }) => Number.parseInt(version, 10) >= 6,
    answers: [chat(), chat()],
    app: async ({ clientWith }) => {
      const keys = [
        () => "k1",
        () => sleep(2, "k2"),
        () => {
          throw new RangeError("no key");
        },
        () => Promise.reject(new TypeError("no key")),
      ];
      const all = [];
      for (const apiKey of keys) {
        const client = clientWith({ apiKey: async () => apiKey() });
        all.push(await outcome(() => client.chat.completions.create(ask)));
      }
      return all;
    },
    spans: 4,
  },
  {
    name: "hooks of a subclass that throw, at once and later",
    answers: [chat()],
    app: async ({ sdk, settings }) => {
      class Throwing extends sdk.OpenAI {
        async prepareOptions() {
          throw new RangeError("prepareOptions");
        }
      }
      class AtOnce extends sdk.OpenAI {
        post() {
          throw new RangeError("post");
        }
      }
      return [
        await outcome(() => new Throwing(settings).chat.completions.create(ask)),
        await outcome(() => new AtOnce(settings).chat.completions.create(ask)),
      ];
    },
    spans: 2,
  },
  {
    name: "a resource that is extended, and one that is proxied",
    answers: [chat(), chat(), chatStream(1)],
    app: async ({ client, sdk, note }) => {
      class Mine extends sdk.OpenAI.Chat.Completions {
        create(body, options) {
          note("mine", body.model);
          return super.create(body, options);
        }
      }
      const mine = new Mine(client);
      const proxied = new Proxy(client, {
        get: (target, key, receiver) => {
          note("get", String(key));
          return Reflect.get(target, key, receiver);
        },
      });
      return [
        await mine.create(ask),
        await proxied.chat.completions.create(ask),
        await read(await proxied.chat.completions.create(stream)),
      ];
    },
    spans: ["chat m", "chat m", "chat m"],
  },
  {
    name: "a client that is frozen, and one whose methods are sealed",
    answers: [chat(), chatStream(1)],
    app: async ({ client, clientWith }) => {
      Object.freeze(client.chat.completions);
      const sealed = clientWith();
      Object.seal(sealed);
      return [
        await client.chat.completions.create(ask),
        await read(await sealed.chat.completions.create(stream)),
      ];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "a stream asked for and JSON given, and the other way round",
    app: async ({ clientWith }) => {
      const json = JSON.stringify({ ...chunk({ content: "a" }), object: "chat.completion" });
      const sse = `data: ${JSON.stringify(chunk({ content: "a" }))}\n\ndata: [DONE]\n\n`;
      const asJson = clientWith({ fetch: wire(json) });
      const asEvents = clientWith({ fetch: wire(sse, "text/event-stream") });
      return [
        await outcome(async () => readUntilError(await asJson.chat.completions.create(stream))),
        await outcome(() => asEvents.chat.completions.create(ask)),
      ];
    },
    spans: 2,
  },
  {
    name: "events by the letter: CR LF, comments, several lines of data, a byte order mark, no last newline",
    app: async ({ clientWith }) => {
      const one = JSON.stringify(chunk({ content: "é€😀" }));
      const [head, tail] = [one.slice(0, 20), one.slice(20)];
      const bodies = [
        `data: ${one}\r\n\r\ndata: [DONE]\r\n\r\n`,
        `: ping\n\nid: 7\nretry: 10\ndata: ${one}\n\n: ping\n\ndata: [DONE]\n\n`,
        `data:${head}\ndata:${tail}\n\ndata: [DONE]\n\n`,
        `\uFEFFdata: ${one}\n\ndata: [DONE]\n\n`,
        `data: ${one}\n\ndata: ${one}`,
        `data: ${one}\r\rdata: [DONE]\r\r`,
      ];
      const all = [];
      for (const body of bodies) {
        const client = clientWith({ fetch: wire(body, "text/event-stream"), logLevel: "off" });
        const { error } = console;
        console.error = () => {};
        try {
          all.push(await readUntilError(await client.chat.completions.create(stream)));
        } finally {
          console.error = error;
        }
      }
      return all;
    },
    spans: 6,
  },
  {
    name: "an answer and a chunk that the app changes, freezes or holds on to",
    answers: [chat(), chatStream(2)],
    app: async ({ client }) => {
      const answer = await client.chat.completions.create(ask);
      answer.choices[0].message.content = "mine";
      Object.freeze(answer);
      const seen = [];
      for await (const one of await client.chat.completions.create(stream)) {
        Object.freeze(one);
        seen.push(one);
      }
      return [answer, seen];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "answers with keys of __proto__, of getters' names, and of nothing",
    answers: [
      reply('{"id":"x","__proto__":{"polluted":1},"choices":[{"constructor":1,"toJSON":2}],"":0}'),
      reply('{"id":"x","choices":{"0":1},"usage":"many","model":7,"error":null}'),
      reply("[]"),
    ],
    app: async ({ client }) => {
      const all = [];
      for (let n = 0; n < 3; n++)
        all.push(await outcome(() => client.chat.completions.create(ask)));
      return [all, {}.polluted];
    },
    spans: ["chat m", "chat m", "chat m"],
  },
  {
    name: "chunks that contradict each other",
    answers: [
      events([
        callPart(0, '{"a"', "add"),
        chunk({ tool_calls: [{ index: 0, id: "call_other", function: { arguments: ":1}" } }] }),
        chunk({ tool_calls: [{ index: -1 }, null, { index: 5, function: null }] }),
        chunk({ content: 7 }, { usage: null }, { index: "x" }),
        chunk({ role: "tool", content: ["a"] }, { choices: [{ delta: null }] }),
        lastChunk("tool_calls"),
        lastChunk("stop"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(stream)),
    spans: ["chat m"],
  },
  {
    name: "events of a response that come in another order, twice, and after the end",
    answers: [
      events(
        (() => {
          const list = responseEvents(responseValue());
          return [list[4], ...list.slice(0, 3), list[3], list[3], ...list.slice(4), list[4]];
        })(),
        { done: false },
      ),
    ],
    app: async ({ client }) => read(await client.responses.create({ ...input, stream: true })),
    spans: ["chat m"],
  },
  {
    name: "a request in a microtask, in a timer, in an event, and at the end of a tick",
    answers: [chat(), chat(), chat(), chat()],
    app: async ({ client, note }) => {
      const create = (from) => {
        note(from);
        return client.chat.completions.create(ask);
      };
      return Promise.all([
        new Promise((resolve) => queueMicrotask(() => resolve(create("microtask")))),
        new Promise((resolve) => setTimeout(() => resolve(create("timer")), 1)),
        new Promise((resolve) => process.nextTick(() => resolve(create("tick")))),
        macrotask().then(() => create("immediate")),
      ]);
    },
    spans: ["chat m", "chat m", "chat m", "chat m"],
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
  {
    name: "bodies that are read as bytes: files, speech, and a stream of them",
    answers: [
      { exchange: { ...reply("bytes of a file").exchange, method: "GET" } },
      reply("sound", { headers: { "content-type": "audio/mpeg" } }),
      reply("sound", { headers: { "content-type": "audio/mpeg" } }),
    ],
    app: async ({ client }) => {
      const speak = () => client.audio.speech.create({ model: "s", input: "x", voice: "alloy" });
      const file = await client.files.content("file_1");
      const whole = Buffer.from(await (await speak()).arrayBuffer()).toString();
      const pieces = [];
      for await (const piece of (await speak()).body) pieces.push(Buffer.from(piece).toString());
      return [await file.text(), whole, pieces.join("")];
    },
    spans: 2,
  },
  {
    name: "stored completions: kept, listed, fetched, changed, deleted",
    needs: ({ OpenAI }) => typeof OpenAI.Chat?.Completions?.prototype.list === "function",
    answers: [
      chat(),
      ...[
        ["GET", { object: "list", data: [{ id: "chatcmpl-1" }], has_more: false }],
        ["GET", { id: "chatcmpl-1", object: "chat.completion", choices: [] }],
        ["POST", { id: "chatcmpl-1", metadata: { a: "b" } }],
        ["DELETE", { id: "chatcmpl-1", deleted: true }],
      ].map(([method, body]) => ({ exchange: { ...reply(body).exchange, method } })),
    ],
    app: async ({ client }) => {
      const { completions } = client.chat;
      return [
        await completions.create({ ...ask, store: true }),
        await outcome(async () => read(await completions.list())),
        await outcome(() => completions.retrieve("chatcmpl-1")),
        await outcome(() => completions.update("chatcmpl-1", { metadata: { a: "b" } })),
        await outcome(() =>
          (completions.delete ?? completions.del).call(completions, "chatcmpl-1"),
        ),
      ];
    },
    spans: ["chat m"],
  },
  {
    name: "a response that is polled until it is there, then read as a stream",
    needs: ({ OpenAI }) => typeof OpenAI.Responses?.prototype.retrieve === "function",
    answers: [
      response([], { status: "queued" }),
      ...["queued", "in_progress", "completed"].map((status) => {
        const { exchange } = response(undefined, { status });
        return { exchange: { ...exchange, method: "GET" } };
      }),
    ],
    app: async ({ client, note }) => {
      let answer = await client.responses.create({ ...input, background: true });
      while (answer.status !== "completed") {
        note(answer.status);
        answer = await client.responses.retrieve(answer.id);
      }
      return answer;
    },
  },
  {
    name: "a response whose stream is refused in the middle by an error of HTTP 200",
    answers: [
      responseStream(
        undefined,
        {
          status: "failed",
          error: { code: "rate_limit_exceeded", message: "slow down" },
        },
        "response.failed",
      ),
      finalRefusal(400),
    ],
    app: async ({ client }) => [
      await readUntilError(await client.responses.create({ ...input, stream: true })),
      await outcome(() => client.responses.create(input)),
    ],
    spans: ["chat m error rate_limit_exceeded", "chat m error c400"],
  },
  {
    name: "parameters with values that only JSON knows: toJSON, dates, maps, bigints that throw",
    answers: [chat(), chat()],
    app: async ({ client }) => {
      const at = new Date(0);
      const shown = { toJSON: () => "shown" };
      return [
        await client.chat.completions.create({
          ...ask,
          metadata: { at, shown, map: new Map([["a", 1]]), none: undefined, nan: Number.NaN },
        }),
        await outcome(() => client.chat.completions.create({ ...ask, seed: 10n })),
        await client.chat.completions.create({ ...ask, temperature: 0, stop: "", store: false }),
      ];
    },
    spans: 3,
  },
  {
    name: "messages that are read-only, of classes, with getters",
    answers: [chat()],
    app: async ({ client }) => {
      class Message {
        role = "user";
        get content() {
          return "hi";
        }
        toJSON() {
          return { role: this.role, content: "hi" };
        }
      }
      const messages = Object.freeze([Object.freeze(new Message())]);
      const answer = await client.chat.completions.create({ model: "m", messages });
      await macrotask();
      return [answer, portrait(messages)];
    },
    spans: ["chat m"],
  },
];
