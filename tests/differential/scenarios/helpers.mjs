// What the SDK builds on its own calls: parsing and event streams.
import {
  chat,
  chatStream,
  finalRefusal,
  reply,
  response,
  responseStream,
  textItem,
} from "../answers.mjs";
import { CHAT_EVENTS, completionsOf, listen } from "../chat-helpers.mjs";
import { outcome, portrait } from "../noticed.mjs";

const messages = [{ role: "user", content: "add" }];
const ask = { model: "m", messages };
const input = { model: "m", input: "add" };

const has = (owner, name) => typeof owner?.prototype[name] === "function";
const zod = async (sdk, line) => {
  const { z } = sdk.beside(line);
  return { sum: z.object({ sum: z.number() }), helper: await sdk.part("helpers/zod") };
};
/** Where the helper of this version takes schemas of this line of zod. */
const knowsZod = (line) => async (sdk) => {
  const { sum, helper } = await zod(sdk, line);
  return helper.zodResponseFormat(sum, "sum").json_schema.schema?.properties?.sum !== undefined;
};

const STANDARD = {
  "~standard": {
    version: 1,
    vendor: "mine",
    validate: (value) =>
      typeof value?.sum === "number" ? { value } : { issues: [{ message: "no sum" }] },
    jsonSchema: {
      input: () => ({ type: "object", properties: { sum: { type: "number" } }, required: ["sum"] }),
      output: () => ({
        type: "object",
        properties: { sum: { type: "number" } },
        required: ["sum"],
      }),
    },
  },
};

export const helpers = [
  ...["zod/v3", "zod/v4"].flatMap((line) => [
    {
      name: `parse with ${line}: well-formed, not, and refused by the model`,
      needs: knowsZod(line),
      answers: [
        chat('{"sum":3}'),
        chat("not json"),
        chat('{"sum":"x"}'),
        chat(null, { refusal: "no" }),
      ],
      app: async ({ client, sdk }) => {
        const { sum, helper } = await zod(sdk, line);
        const body = { ...ask, response_format: helper.zodResponseFormat(sum, "sum") };
        const all = [];
        for (let n = 0; n < 4; n++)
          all.push(await outcome(() => completionsOf(client).parse(body)));
        return all;
      },
      spans: 4,
    },
    {
      name: `responses parse with ${line}`,
      needs: knowsZod(line),
      answers: [response([textItem('{"sum":3}')]), response([textItem("not json")])],
      app: async ({ client, sdk }) => {
        const { sum, helper } = await zod(sdk, line);
        const body = { ...input, text: { format: helper.zodTextFormat(sum, "sum") } };
        return [
          await outcome(() => client.responses.parse(body)),
          await outcome(() => client.responses.parse(body)),
        ];
      },
      spans: 2,
    },
  ]),
  {
    name: "parse with a standard schema",
    needs: async (sdk) => (await sdk.part("helpers/standard-schema")).standardResponseFormat,
    answers: [chat('{"sum":3}'), chat('{"sum":"x"}')],
    app: async ({ client, sdk }) => {
      const { standardResponseFormat } = await sdk.part("helpers/standard-schema");
      const body = { ...ask, response_format: standardResponseFormat(STANDARD, "sum") };
      return [
        await outcome(() => completionsOf(client).parse(body)),
        await outcome(() => completionsOf(client).parse(body)),
      ];
    },
    spans: 2,
  },
  {
    name: "the promise of parse, its response and its raw body",
    answers: [chat('{"sum":3}'), chat('{"sum":3}'), response(), response()],
    app: async ({ client }) => {
      const parsed = completionsOf(client).parse(ask);
      const kept = portrait(parsed);
      return [
        kept,
        await parsed.withResponse(),
        await (await completionsOf(client).parse(ask).asResponse()).text(),
        await client.responses.parse({ ...input, tools: [] }),
        await (await client.responses.parse({ ...input, tools: [] }).asResponse()).text(),
      ];
    },
    spans: 4,
  },
  {
    name: "parse that the provider refuses, handled and ignored",
    answers: [finalRefusal(400), finalRefusal(400)],
    app: async ({ client, requested }) => {
      const handled = await outcome(() => client.responses.parse({ ...input, tools: [] }));
      void completionsOf(client).parse(ask);
      await requested(2);
      return handled;
    },
    spans: ["chat m error c400", "chat m error c400"],
  },
  {
    name: "the chat stream helper and its events",
    answers: [chatStream()],
    app: async ({ client, note }) => {
      const helper = completionsOf(client).stream(ask);
      listen(helper, CHAT_EVENTS, note);
      return [
        await helper.finalChatCompletion(),
        await helper.finalMessage(),
        await helper.totalUsage(),
      ];
    },
    spans: ["chat m"],
  },
  {
    name: "the chat stream helper as an iterable, left early",
    answers: [chatStream(40)],
    server: { pieceDelayMs: 2 },
    app: async ({ client }) => {
      const helper = completionsOf(client).stream(ask);
      for await (const _ of helper) break;
      return [helper.controller.signal.aborted, await outcome(() => helper.done())];
    },
    spans: ["chat m aborted"],
  },
  {
    name: "the chat stream helper, aborted by an event",
    answers: [chatStream(40)],
    server: { pieceDelayMs: 2 },
    app: async ({ client }) => {
      const helper = completionsOf(client).stream(ask);
      helper.once("content", () => helper.abort());
      return await outcome(() => helper.finalContent());
    },
    spans: ["chat m aborted"],
  },
  {
    name: "the chat stream helper passed on as a readable stream",
    answers: [chatStream()],
    app: async ({ client }) => {
      const helper = completionsOf(client).stream(ask);
      const text = await new Response(helper.toReadableStream()).text();
      return [text, await helper.finalContent()];
    },
    spans: ["chat m"],
  },
  {
    name: "the chat stream helper that the provider refuses, handled and ignored",
    answers: [finalRefusal(401), finalRefusal(401)],
    app: async ({ client, requested }) => {
      const handled = await outcome(() => completionsOf(client).stream(ask).done());
      completionsOf(client).stream(ask);
      await requested(2);
      return handled;
    },
    spans: ["chat m error c401", "chat m error c401"],
  },
  {
    name: "the responses stream helper and its events",
    answers: [responseStream()],
    needs: ({ OpenAI }) => has(OpenAI.Responses, "stream"),
    app: async ({ client, note }) => {
      const helper = client.responses.stream(input);
      listen(helper, ["event", "response.output_text.delta", "response.completed", "end"], note);
      return await helper.finalResponse();
    },
    spans: ["chat m"],
  },
  {
    name: "the responses stream helper, aborted by an event",
    answers: [responseStream([textItem("Hello! ".repeat(20))])],
    needs: ({ OpenAI }) => has(OpenAI.Responses, "stream"),
    server: { pieceDelayMs: 2 },
    app: async ({ client }) => {
      const helper = client.responses.stream(input);
      helper.once("event", () => helper.abort());
      return await outcome(() => helper.done());
    },
    spans: ["chat m aborted"],
  },
  {
    name: "an assistant's stream",
    needs: ({ OpenAI }) =>
      has(OpenAI.Beta?.Threads?.Runs ?? OpenAI.Beta?.Threads, "stream") ||
      OpenAI.Beta !== undefined,
    answers: [
      reply(
        `${[
          ["thread.run.created", { id: "run_1", object: "thread.run", status: "queued" }],
          ["thread.message.created", { id: "msg_1", object: "thread.message", content: [] }],
          [
            "thread.message.delta",
            {
              id: "msg_1",
              object: "thread.message.delta",
              delta: {
                content: [{ index: 0, type: "text", text: { value: "Hi", annotations: [] } }],
              },
            },
          ],
          [
            "thread.message.completed",
            {
              id: "msg_1",
              object: "thread.message",
              content: [{ type: "text", text: { value: "Hi", annotations: [] } }],
            },
          ],
          ["thread.run.completed", { id: "run_1", object: "thread.run", status: "completed" }],
        ]
          .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
          .join("")}event: done\ndata: [DONE]\n\n`,
      ),
    ],
    app: async ({ client, note }) => {
      const runner = client.beta.threads.runs.stream("thread_1", { assistant_id: "asst_1" });
      listen(runner, ["event", "textDelta", "messageDone", "end"], note);
      return [await outcome(() => runner.finalMessages()), await outcome(() => runner.finalRun())];
    },
  },
];
