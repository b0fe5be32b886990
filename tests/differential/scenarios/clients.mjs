// The clients that apps make, and the endpoints beside the model calls.
import { chat, chatStream, reply, response, responseStream } from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";
import { read } from "../reading.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
/** The client's own answers, without a network: what it was asked stands in the notes. */
const fetchOf = (note, answer) => async (url, init) => {
  note(String(url), init.method, [...new Headers(init.headers).keys()].sort(), init.body);
  const { body, headers } = answer.exchange.response;
  return new Response(body, { headers });
};

export const clients = [
  {
    name: "withOptions clones",
    answers: [chat(), chat()],
    needs: ({ OpenAI }) => typeof OpenAI.prototype.withOptions === "function",
    app: async ({ client, sdk }) => {
      const clone = client.withOptions({ maxRetries: 0, defaultHeaders: { "x-mine": "1" } });
      const again = clone.withOptions({ defaultQuery: { a: "b" } });
      return [
        clone instanceof sdk.OpenAI,
        clone.chat.completions.create === client.chat.completions.create,
        await clone.chat.completions.create(ask),
        await again.chat.completions.create(ask),
      ];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "a subclass with a request of its own",
    answers: [chat(), chatStream(1)],
    app: async ({ sdk, settings, note }) => {
      class Mine extends sdk.OpenAI {
        async prepareRequest(...parameters) {
          note("prepareRequest");
          return await super.prepareRequest?.(...parameters);
        }
        post(...parameters) {
          note("post", parameters[0]);
          return super.post(...parameters);
        }
      }
      const client = new Mine(settings);
      return [
        client.constructor.name,
        await client.chat.completions.create(ask),
        await read(await client.chat.completions.create({ ...ask, stream: true })),
      ];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "a class that wraps create itself",
    answers: [chat()],
    app: async ({ client, note }) => {
      const { completions } = client.chat;
      const original = completions.create;
      completions.create = function (...parameters) {
        note("mine", this === completions);
        return original.apply(this, parameters);
      };
      return [Object.keys(completions), await client.chat.completions.create(ask)];
    },
    spans: ["chat m"],
  },
  {
    name: "create taken off its object, bound and called",
    answers: [chat(), chat()],
    app: async ({ client }) => {
      const { completions } = client.chat;
      const create = completions.create.bind(completions);
      return [await create(ask), await Reflect.apply(completions.create, completions, [ask])];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "Azure by deployment, and by its v1 address",
    answers: [chat(), chatStream(1), response()],
    app: async ({ sdk, server }) => {
      const common = { apiKey: "k", apiVersion: "2024-10-21", maxRetries: 0 };
      const byDeployment = new sdk.AzureOpenAI({
        ...common,
        endpoint: server.url,
        deployment: "d",
      });
      const byModel = new sdk.AzureOpenAI({ ...common, endpoint: server.url });
      const v1 = new sdk.OpenAI({ apiKey: "k", baseURL: `${server.url}/openai/v1` });
      return [
        await byDeployment.chat.completions.create(ask),
        await read(await byModel.chat.completions.create({ ...ask, stream: true })),
        await v1.responses.create({ model: "m", input: "hi" }),
      ];
    },
    spans: ["chat m", "chat m", "chat m"],
  },
  {
    name: "Bedrock",
    needs: ({ BedrockOpenAI }) => BedrockOpenAI !== undefined,
    answers: [chat(), responseStream()],
    app: async ({ sdk, server }) => {
      const client = new sdk.BedrockOpenAI({
        apiKey: "k",
        baseURL: `${server.url}/openai/v1`,
        maxRetries: 0,
      });
      return [
        await client.chat.completions.create(ask),
        await read(await client.responses.create({ model: "m", input: "hi", stream: true })),
      ];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "a fetch of one's own, and other providers' addresses",
    app: async ({ clientWith, note }) => {
      const fetch = fetchOf(note, chat());
      const addresses = [
        "https://openrouter.ai/api/v1",
        "https://api.groq.com/openai/v1",
        "http://localhost:11434/v1",
        "https://mine.example/deep/path/",
      ];
      const all = [];
      for (const baseURL of addresses) {
        all.push(await clientWith({ baseURL, fetch }).chat.completions.create(ask));
      }
      return all;
    },
    spans: ["chat m", "chat m", "chat m", "chat m"],
  },
  {
    name: "default headers and query, and those of a call",
    answers: [chat()],
    app: ({ clientWith }) =>
      clientWith({
        defaultHeaders: { "x-a": "1", "x-b": "2" },
        defaultQuery: { q: "1" },
      }).chat.completions.create(ask, {
        headers: { "x-b": null, "x-c": "3" },
        query: { r: "2" },
        idempotencyKey: "key",
      }),
    spans: ["chat m"],
  },
  {
    name: "a call of the client's own post",
    answers: [chat(), chatStream(1)],
    app: async ({ client }) => [
      await client.post("/chat/completions", { body: ask }),
      await read(
        await client.post("/chat/completions", { body: { ...ask, stream: true }, stream: true }),
      ),
    ],
  },
  {
    name: "two clients of one class at the same time",
    answers: [chat(), chat()],
    app: ({ clientWith }) =>
      Promise.all([clientWith({}), clientWith({})].map((one) => one.chat.completions.create(ask))),
    spans: ["chat m", "chat m"],
  },
  {
    name: "lists of pages, read to their end and by page",
    answers: [
      reply({ object: "list", data: [{ id: "a" }, { id: "b" }], has_more: false }),
      reply({ object: "list", data: [{ id: "a" }], has_more: true, last_id: "a" }),
      reply({ object: "list", data: [{ id: "c" }], has_more: false }),
    ].map(({ exchange }) => ({ exchange: { ...exchange, method: "GET" } })),
    app: async ({ client }) => [
      await read(client.models.list()),
      await read(client.files.list({ limit: 1 })),
    ],
  },
  {
    name: "images, moderations, transcription and speech",
    answers: [
      reply({
        created: 1,
        data: [{ b64_json: "AAAA" }],
        usage: { total_tokens: 1, input_tokens: 1, output_tokens: 0 },
      }),
      reply({
        id: "modr-1",
        model: "m",
        results: [{ flagged: false, categories: {}, category_scores: {} }],
      }),
      reply({ text: "hello" }),
      reply("bytes", { headers: { "content-type": "audio/mpeg" } }),
    ],
    app: async ({ client }) => {
      const speech = client.audio.speech.create({ model: "s", input: "x", voice: "alloy" });
      const file = new File(["x"], "x.mp3");
      const others = [
        await outcome(() => client.images.generate({ model: "i", prompt: "x" })),
        await outcome(() => client.moderations.create({ model: "o", input: "x" })),
      ];
      const raw = await outcome(() => speech);
      const transcription = await outcome(() =>
        client.audio.transcriptions.create({ model: "t", file }),
      );
      return [
        portrait(speech),
        others.length,
        raw.rejected ?? "speech",
        transcription.rejected ?? "text",
      ];
    },
  },
  {
    name: "speech as bytes",
    answers: [reply("bytes", { headers: { "content-type": "audio/mpeg" } })],
    app: async ({ client }) => {
      const speech = await client.audio.speech.create({ model: "s", input: "x", voice: "alloy" });
      return [speech, await speech.text()];
    },
  },
  {
    name: "fetching, cancelling and deleting a response",
    needs: ({ OpenAI }) => typeof OpenAI.Responses?.prototype.cancel === "function",
    answers: [response(), response(), reply({})],
    app: async ({ client }) => [
      await outcome(() => client.responses.retrieve("resp_1")),
      await outcome(() => client.responses.cancel("resp_1")),
      await outcome(() => client.responses.delete?.("resp_1") ?? client.responses.del("resp_1")),
    ],
  },
  {
    name: "decisions, conversations and compaction",
    needs: ({ OpenAI }) => OpenAI.Decisions !== undefined && OpenAI.Conversations !== undefined,
    answers: [
      reply({ answers: [], model: "m", usage: {} }),
      reply({ id: "conv_1", object: "conversation" }),
      reply({ id: "resp_2", object: "response.compaction", output: [] }),
    ],
    app: async ({ client }) => [
      await outcome(() => client.decisions.create({ model: "m", input: "x", questions: [] })),
      await outcome(() => client.conversations.create({})),
      await outcome(() => client.responses.compact({ model: "m", input: "x" })),
    ],
  },
];
