// The promise that the SDK gives: its identity, its methods, what it does with failures.
import { setImmediate as macrotask } from "node:timers/promises";
import { chat, chatStream, finalRefusal, reply, response, responseStream } from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";
import { read } from "../reading.mjs";

const messages = [{ role: "user", content: "hi" }];
const ask = { model: "m", messages };
const stream = { ...ask, stream: true };
const input = { model: "m", input: "hi" };

export const promises = [
  {
    name: "a promise is the SDK's own, before and after it is awaited",
    answers: [chat()],
    app: async ({ client, sdk }) => {
      const promise = client.chat.completions.create(ask);
      const before = [
        promise instanceof sdk.APIPromise,
        promise instanceof Promise,
        portrait(promise),
      ];
      const value = await promise;
      return [before, portrait(promise), Object.keys(promise), value];
    },
    spans: ["chat m"],
  },
  {
    name: "awaited twice it is one request and the very same value",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      const [left, right] = [await promise, await promise];
      return [left === right, left];
    },
    spans: ["chat m"],
  },
  {
    name: "then, catch and finally",
    answers: [response()],
    app: async ({ client, note }) => {
      const promise = client.responses.create(input);
      await promise.finally(() => note("finally"));
      const chained = promise.then(({ id }) => id);
      return [portrait(chained), await chained, await promise.catch(() => "caught")];
    },
    spans: ["chat m"],
  },
  {
    name: "withResponse of a chat completion, whole and streamed",
    answers: [chat(), chatStream()],
    app: async ({ client }) => {
      const whole = await client.chat.completions.create(ask).withResponse();
      const streamed = await client.chat.completions.create(stream).withResponse();
      return [whole, streamed.response, streamed.request_id, await read(streamed.data)];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "withResponse of a response, whole and streamed",
    answers: [response(), responseStream()],
    app: async ({ client }) => {
      const whole = await client.responses.create(input).withResponse();
      const streamed = await client.responses.create({ ...input, stream: true }).withResponse();
      return [whole, streamed.response, await read(streamed.data)];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "withResponse gives the value that awaiting gives",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      const { data, response } = await promise.withResponse();
      return [data === (await promise), response === (await promise.asResponse())];
    },
    spans: ["chat m"],
  },
  {
    name: "asResponse leaves the body of a chat completion to the app",
    answers: [chat()],
    app: async ({ client }) => {
      const raw = await client.chat.completions.create(ask).asResponse();
      return [raw, await raw.text()];
    },
    spans: ["chat m raw_response"],
  },
  {
    name: "asResponse leaves the body of a streamed chat completion to the app",
    answers: [chatStream()],
    app: async ({ client }) => {
      const raw = await client.chat.completions.create(stream).asResponse();
      return [raw, await raw.text()];
    },
    spans: ["chat m raw_response"],
  },
  {
    name: "asResponse leaves the bodies of responses to the app",
    answers: [response(), responseStream()],
    app: async ({ client }) => [
      await (await client.responses.create(input).asResponse()).json(),
      await (await client.responses.create({ ...input, stream: true }).asResponse()).text(),
    ],
    spans: ["chat m raw_response", "chat m raw_response"],
  },
  {
    name: "asResponse beside the parsed answer",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      return await Promise.all([promise.asResponse(), promise]);
    },
    spans: ["chat m"],
  },
  {
    name: "asResponse of a call that is refused",
    answers: [finalRefusal(404)],
    app: ({ client }) => outcome(() => client.chat.completions.create(ask).asResponse()),
    spans: ["chat m error c404"],
  },
  {
    name: "asResponse of a body that nobody reads",
    answers: [chat()],
    app: async ({ client }) => (await client.chat.completions.create(ask).asResponse()).status,
    spans: ["chat m raw_response"],
  },
  {
    name: "_thenUnwrap, once and on what it gives",
    answers: [chat()],
    app: async ({ client, sdk, note }) => {
      const promise = client.chat.completions.create(ask);
      const first = promise._thenUnwrap((value) => {
        note("first", value.id);
        return { ...value, first: true };
      });
      const second = first._thenUnwrap((value) => ({ second: value }));
      const own = [first instanceof sdk.APIPromise, portrait(first), portrait(second)];
      return [own, await second];
    },
    spans: ["chat m"],
  },
  {
    name: "_thenUnwrap whose function throws",
    answers: [chat()],
    app: ({ client }) =>
      outcome(() =>
        client.chat.completions.create(ask)._thenUnwrap(() => {
          throw new RangeError("mine");
        }),
      ),
    spans: ["chat m"],
  },
  {
    name: "withResponse and asResponse of what _thenUnwrap gives",
    answers: [chat(), chat()],
    app: async ({ client }) => {
      const derived = () => client.chat.completions.create(ask)._thenUnwrap(({ id }) => ({ id }));
      return [await derived().withResponse(), await (await derived().asResponse()).text()];
    },
    spans: ["chat m", "chat m raw_response"],
  },
  {
    name: "an ignored failure is one unhandled rejection",
    answers: [finalRefusal(401)],
    app: async ({ client, requested }) => {
      client.chat.completions.create(ask);
      await requested(1);
    },
    spans: ["chat m error c401"],
  },
  {
    name: "an ignored failure of a streamed response is one unhandled rejection",
    answers: [finalRefusal(401)],
    app: async ({ client, requested }) => {
      client.responses.create({ ...input, stream: true });
      await requested(1);
    },
    spans: ["chat m error c401"],
  },
  {
    name: "a handled failure is none",
    answers: [finalRefusal(401)],
    app: ({ client }) => client.chat.completions.create(ask).catch(({ status }) => status),
    spans: ["chat m error c401"],
  },
  {
    name: "a failure handled in one branch and ignored in another",
    answers: [finalRefusal(401)],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      void promise.finally(() => {});
      return await outcome(() => promise);
    },
    spans: ["chat m error c401"],
  },
  {
    name: "a failure awaited twice is the very same error",
    answers: [finalRefusal(401)],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      const [left, right] = await Promise.allSettled([promise, promise]);
      return [left.reason === right.reason, left];
    },
    spans: ["chat m error c401"],
  },
  {
    name: "a failure whose derived promise is handled",
    answers: [finalRefusal(401)],
    app: async ({ client }) => {
      const derived = client.chat.completions.create(ask)._thenUnwrap((value) => value);
      return await outcome(() => derived);
    },
    spans: ["chat m error c401"],
  },
  {
    name: "a promise that nobody awaits",
    answers: [chat()],
    app: async ({ client, requested }) => {
      void client.chat.completions.create(ask);
      await requested(1);
    },
    spans: ["chat m abandoned"],
  },
  {
    name: "what happens when around a call",
    answers: [chat()],
    app: async ({ clientWith, note }) => {
      const client = clientWith({
        fetch: (url, init) => {
          note("request");
          return fetch(url, init);
        },
      });
      const promise = client.chat.completions.create(ask);
      note("created");
      queueMicrotask(() => note("microtask"));
      promise.then(() => note("first then"));
      promise.then(() => note("second then"));
      await promise;
      note("awaited");
      await macrotask();
    },
    spans: ["chat m"],
  },
  {
    name: "a race against a promise that is settled",
    answers: [chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask);
      const first = await Promise.race([promise, Promise.resolve("settled")]);
      return [first, await promise];
    },
    spans: ["chat m"],
  },
  {
    name: "ten calls at the same time",
    answers: Array.from({ length: 10 }, () => chat()),
    app: ({ client }) =>
      Promise.all(Array.from({ length: 10 }, () => client.chat.completions.create(ask))),
    spans: Array.from({ length: 10 }, () => "chat m"),
  },
  {
    name: "an answer holds its request id, hidden",
    answers: [chat(), response(), reply({ object: "list", data: [], model: "e" })],
    app: async ({ client }) => {
      const values = [
        await client.chat.completions.create(ask),
        await client.responses.create(input),
        await client.embeddings.create({ model: "e", input: "x", encoding_format: "float" }),
      ];
      return values.map((value) => [
        Object.getOwnPropertyDescriptor(value, "_request_id"),
        Object.isExtensible(value),
        JSON.stringify(value),
      ]);
    },
    spans: ["chat m", "chat m", "embeddings e"],
  },
  {
    name: "create can't be used as a class, and needs its own this",
    app: async ({ client }) => {
      const { create } = client.chat.completions;
      return [
        await outcome(() => new create(ask)),
        await outcome(() => create(ask)),
        "prototype" in create,
      ];
    },
  },
  {
    name: "legacy completions and embeddings, plain and streamed",
    answers: [
      reply({
        id: "cmpl-1",
        object: "text_completion",
        model: "c",
        choices: [{ index: 0, text: "x", finish_reason: "stop" }],
      }),
      reply(
        'data: {"id":"cmpl-2","object":"text_completion","model":"c","choices":[{"index":0,"text":"y","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      ),
      reply({
        object: "list",
        model: "e",
        data: [{ object: "embedding", index: 0, embedding: [0.5, 1] }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
      reply({
        object: "list",
        model: "e",
        data: [{ object: "embedding", index: 0, embedding: "AAAAPw==" }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    ],
    app: async ({ client }) => [
      await client.completions.create({ model: "c", prompt: "x" }),
      await read(await client.completions.create({ model: "c", prompt: "x", stream: true })),
      await client.embeddings.create({ model: "e", input: "x", encoding_format: "float" }),
      await client.embeddings.create({ model: "e", input: "x" }),
    ],
    spans: ["text_completion c", "text_completion c", "embeddings e", "embeddings e"],
  },
];
