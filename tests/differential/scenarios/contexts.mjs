// The async context of the app: what its own code sees, wherever the SDK calls it.
import { AsyncLocalStorage, executionAsyncId } from "node:async_hooks";
import { EventEmitter, on } from "node:events";
import { setImmediate as macrotask } from "node:timers/promises";
import { chat, chatCalling, chatStream, finalRefusal } from "../answers.mjs";
import { outcome } from "../noticed.mjs";

const storage = new AsyncLocalStorage();
const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const stream = { ...ask, stream: true };
const here = () => storage.getStore();

/** A fetch that notes in which of the app's contexts it is called. */
const locating = (note) => (url, init) => {
  note("fetch", here());
  return fetch(url, init);
};

export const contexts = [
  {
    name: "a store stays through a call, its fetch, and what follows",
    answers: [chat()],
    app: async ({ clientWith, note }) => {
      const client = clientWith({ fetch: locating(note) });
      await storage.run("outer", async () => {
        const promise = client.chat.completions.create(ask);
        note("created", here());
        promise.then(() => note("then", here()));
        await promise;
        note("awaited", here());
        await storage.run("inner", () => promise.finally(() => note("finally", here())));
      });
      return here();
    },
    spans: ["chat m"],
  },
  {
    name: "ten users at the same time keep their stores",
    answers: Array.from({ length: 10 }, () => chatStream(2)),
    app: ({ client }) =>
      Promise.all(
        Array.from({ length: 10 }, (_, user) =>
          storage.run(user, async () => {
            const seen = [];
            for await (const _ of await client.chat.completions.create(stream)) seen.push(here());
            return [seen, here()];
          }),
        ),
      ),
    spans: Array.from({ length: 10 }, () => "chat m"),
  },
  {
    name: "a stream made in one context and read in another",
    answers: [chatStream(2)],
    app: async ({ client, note }) => {
      const made = await storage.run("made", () => client.chat.completions.create(stream));
      await storage.run("read", async () => {
        for await (const _ of made) note("chunk", here());
      });
      await macrotask();
      return here();
    },
    spans: ["chat m"],
  },
  {
    name: "a promise made in one context and awaited in another",
    answers: [chat(), finalRefusal(404)],
    app: async ({ client, note }) => {
      const promises = storage.run("made", () => [
        client.chat.completions.create(ask),
        client.chat.completions.create(ask),
      ]);
      return await storage.run("awaited", async () => {
        const all = [await outcome(() => promises[0]), await outcome(() => promises[1])];
        note("settled", here());
        return all.map((one) => Object.keys(one));
      });
    },
    spans: 2,
  },
  {
    name: "a tool of a runner sees the store that the run was started in",
    answers: [chatCalling(["add", "{}"]), chat("Done.")],
    app: async ({ client, note }) => {
      const completions = client.chat.completions.runTools
        ? client.chat.completions
        : client.beta.chat.completions;
      const tool = {
        type: "function",
        function: {
          name: "add",
          parameters: { type: "object", properties: {} },
          function: () => {
            note("tool", here());
            return "1";
          },
        },
      };
      const runner = storage.run("run", () => completions.runTools({ ...ask, tools: [tool] }));
      runner.on("message", () => note("message", here()));
      return await storage.run("waiting", () => runner.finalContent());
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "events of a stream helper come where they came",
    answers: [chatStream(2)],
    app: async ({ client, note }) => {
      const { completions } = client.chat.completions.stream ? client.chat : client.beta.chat;
      const helper = storage.run("made", () => completions.stream(ask));
      storage.run("listening", () => helper.on("content", () => note("content", here())));
      await storage.run("waiting", () => helper.done());
      note("done", here());
    },
    spans: ["chat m"],
  },
  {
    name: "chunks that are handed on through an emitter",
    answers: [chatStream(3)],
    app: async ({ client, note }) => {
      const emitter = new EventEmitter();
      const done = new AbortController();
      const reading = (async () => {
        try {
          for await (const [chunk] of on(emitter, "chunk", { signal: done.signal }))
            note(chunk.id, here());
        } catch {
          note("no more");
        }
      })();
      await storage.run("sending", async () => {
        for await (const chunk of await client.chat.completions.create(stream))
          emitter.emit("chunk", chunk);
      });
      await macrotask();
      done.abort();
      await reading;
    },
    spans: ["chat m"],
  },
  {
    name: "an answer that comes after its request's context is gone",
    answers: [chat()],
    app: async ({ client, note, requested }) => {
      let promise;
      storage.run("short", () => {
        promise = client.chat.completions.create(ask);
      });
      await requested(1);
      note("later", here(), executionAsyncId() > 0);
      return (await promise).id;
    },
    spans: ["chat m"],
  },
];
