// What apps do with calls, clients and classes that the authors of the SDK did not think of first.
import { getEventListeners } from "node:events";
import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import { inspect, types } from "node:util";
import { chat, chatStream, refusal, reply, response, silence } from "../answers.mjs";
import { outcome } from "../noticed.mjs";
import { read } from "../reading.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const stream = { ...ask, stream: true };
const input = { model: "m", input: "hi" };
const slowly = { pieceDelayMs: 4 };

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
    name: "a Promise of the app's own in the place of the global one",
    answers: [chat(), chatStream(1)],
    app: async ({ client }) => {
      const native = globalThis.Promise;
      globalThis.Promise = class Zone extends native {};
      try {
        return [
          await client.chat.completions.create(ask),
          await read(await client.chat.completions.create(stream)),
        ];
      } finally {
        globalThis.Promise = native;
      }
    },
    spans: ["chat m", "chat m"],
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
    name: "a request in a microtask, in a timer, in an event, and at the end of a tick",
    answers: [chat(), chat(), chat(), chat()],
    app: async ({ client, note }) => {
      const create = (from) => {
        note(from);
        return client.chat.completions.create(ask);
      };
      return Promise.all([
        new Promise((resolve) => queueMicrotask(() => resolve(create("microtask")))),
        new Promise((resolve) => process.nextTick(() => resolve(create("tick")))),
        macrotask().then(() => create("immediate")),
        // Begun then, so that none of the two can come before the other.
        macrotask().then(
          () => new Promise((resolve) => setTimeout(() => resolve(create("timer")), 1)),
        ),
      ]);
    },
    spans: ["chat m", "chat m", "chat m", "chat m"],
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
];
