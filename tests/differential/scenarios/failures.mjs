// Calls that fail, and calls that are made again.
import {
  chat,
  chatStream,
  finalRefusal,
  quietAfter,
  refusal,
  reply,
  silence,
} from "../answers.mjs";
import { outcome } from "../noticed.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const create = ({ client }) => outcome(() => client.chat.completions.create(ask));
const soon = { headers: { "retry-after-ms": "2" } };

export const failures = [
  ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map((status) => ({
    name: `status ${status}`,
    answers: [finalRefusal(status)],
    app: create,
    spans: [`chat m error c${status}`],
  })),
  {
    name: "an error page instead of JSON",
    answers: [finalRefusal(400, { headers: { "content-type": "text/html" }, body: "<h1>no</h1>" })],
    app: ({ client }) => outcome(() => client.embeddings.create({ model: "e", input: "x" })),
    spans: ["embeddings e error BadRequestError"],
  },
  {
    name: "an error without a body, and one of null",
    answers: [finalRefusal(400, { body: "" }), finalRefusal(400, { body: "null" })],
    app: async (context) => [await create(context), await create(context)],
    spans: ["chat m error BadRequestError", "chat m error BadRequestError"],
  },
  {
    name: "status 200 with something that is no JSON",
    answers: [reply("<h1>ok</h1>", { headers: { "content-type": "application/json" } })],
    app: create,
    spans: 1,
  },
  {
    name: "status 200 with text, an empty object, and null",
    answers: [
      reply("just text", { headers: { "content-type": "text/plain" } }),
      reply({}),
      reply(null),
    ],
    app: async (context) => [await create(context), await create(context), await create(context)],
    spans: ["chat m", "chat m", "chat m"],
  },
  {
    name: "429, then an answer",
    answers: [refusal(429, soon), chat()],
    app: create,
    spans: ["chat m resent 1"],
  },
  {
    name: "429 twice, then no more",
    answers: [refusal(429, soon), refusal(429, soon)],
    app: create,
    spans: ["chat m error c429 resent 1"],
  },
  {
    name: "503, then a stream, with options of the call",
    answers: [refusal(503, soon), refusal(503, soon), chatStream(2)],
    app: async ({ client }) => {
      const options = { maxRetries: 3, headers: { "x-mine": "1" }, query: { a: "b" } };
      const stream = await client.chat.completions.create({ ...ask, stream: true }, options);
      const all = [];
      for await (const one of stream) all.push(one);
      return all;
    },
    spans: ["chat m resent 2"],
  },
  {
    name: "nobody listens at the address",
    app: async ({ clientWith, server }) => {
      const { url } = server;
      await server.close();
      const client = clientWith({ baseURL: `${url}/v1`, maxRetries: 0 });
      return await outcome(() => client.chat.completions.create(ask));
    },
    spans: 1,
  },
  {
    name: "a timeout",
    answers: [silence],
    app: ({ client }) =>
      outcome(() => client.chat.completions.create(ask, { timeout: 300, maxRetries: 0 })),
    spans: ["chat m error APIConnectionTimeoutError"],
  },
  {
    name: "a timeout, then an answer",
    answers: [silence, chat()],
    app: ({ client }) =>
      outcome(() => client.chat.completions.create(ask, { timeout: 400, maxRetries: 1 })),
    spans: ["chat m resent 1"],
  },
  {
    name: "a body that doesn't come in time",
    needs: ({ OpenAI }) => "parseResponseWithTimeout" in OpenAI.prototype,
    answers: [quietAfter(20, chat()), chat()],
    app: async ({ client }) => {
      const promise = client.chat.completions.create(ask, { timeout: 400, maxRetries: 1 });
      return await outcome(() => promise.withResponse());
    },
    spans: ["chat m resent 1"],
  },
  {
    name: "a fetch that throws, at once and later",
    app: async ({ clientWith }) => {
      const at = (fetch) => clientWith({ fetch, maxRetries: 0 });
      const clients = [
        at(() => {
          throw new RangeError("at once");
        }),
        at(async () => {
          throw new RangeError("later");
        }),
      ];
      const all = [];
      for (const client of clients) all.push(await create({ client }));
      return all;
    },
    spans: 2,
  },
];
