// What an app gives to a call: nothing, the wrong thing, what is frozen, changed or cannot be sent.
import { setImmediate as macrotask } from "node:timers/promises";
import { chat, finalRefusal } from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";

const messages = [{ role: "user", content: "hi" }];
const ask = { model: "m", messages };

export const parameters = [
  {
    name: "no parameters at all",
    app: async ({ client }) => [
      await outcome(() => client.chat.completions.create()),
      await outcome(() => client.responses.create()),
      await outcome(() => client.completions.create()),
      await outcome(() => client.embeddings.create()),
    ],
  },
  {
    name: "options in a promise",
    answers: [chat()],
    app: ({ client }) => {
      const options = Promise.resolve({ headers: { "x-mine": "1" } });
      return outcome(() => client.chat.completions.create(ask, options));
    },
    spans: ["chat m"],
  },
  {
    name: "options in a promise that rejects",
    app: ({ client }) =>
      outcome(() => client.chat.completions.create(ask, Promise.reject(new RangeError("mine")))),
  },
  {
    name: "frozen parameters without a prototype, left as they are",
    answers: [chat()],
    app: async ({ client }) => {
      const frozen = Object.freeze(
        Object.assign(Object.create(null), {
          model: "m",
          temperature: 0,
          store: false,
          user: "",
          messages: Object.freeze([Object.freeze({ role: "user", content: "hi" })]),
        }),
      );
      return [await client.chat.completions.create(frozen), frozen];
    },
    spans: ["chat m"],
  },
  {
    name: "parameters that can't be sent",
    app: async ({ client }) => {
      const circular = { role: "user" };
      circular.content = [{ type: "text", text: "x", self: circular }];
      const throwing = {
        get content() {
          throw new RangeError("mine");
        },
      };
      const parts = [[circular], [throwing], [{ role: "user", content: 1n }]];
      const all = [];
      for (const one of parts) {
        all.push(await outcome(() => client.chat.completions.create({ ...ask, messages: one })));
      }
      return all;
    },
    unreadable: true,
  },
  {
    name: "parameters of the wrong kind",
    answers: [finalRefusal(400), finalRefusal(400), finalRefusal(400)],
    app: async ({ client }) => [
      await outcome(() => client.chat.completions.create({ model: 1, messages: "x" })),
      await outcome(() => client.chat.completions.create("x")),
      await outcome(() => client.responses.create({ model: null, input: 7 })),
    ],
  },
  {
    name: "messages that are appended to and changed right after the call",
    answers: [chat()],
    app: async ({ client }) => {
      const list = [{ role: "user", content: "first" }];
      const promise = client.chat.completions.create({ model: "m", messages: list });
      list.push({ role: "user", content: "second" });
      await promise;
      return list;
    },
    spans: ["chat m"],
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
