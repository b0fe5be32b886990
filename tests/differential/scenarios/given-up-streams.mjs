// Streams that come to no good end: left, aborted, cut, refused, never read.
import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import {
  chatStream,
  cutAfter,
  finalRefusal,
  quietAfter,
  responseStream,
  silence,
} from "../answers.mjs";
import { outcome } from "../noticed.mjs";
import { read, readUntilError } from "../reading.mjs";
import { watched } from "../watched-fetch.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }], stream: true };
const input = { model: "m", input: "hi", stream: true };
const slowly = { pieceDelayMs: 4 };

export const givenUpStreams = [
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
];
