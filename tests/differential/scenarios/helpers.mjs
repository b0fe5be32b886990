// What the SDK builds on its own calls: parsing, event streams, runners that call tools.
import { setTimeout as sleep } from "node:timers/promises";
import {
  callItem,
  callPart,
  chat,
  chatCalling,
  chatStream,
  chunk,
  events,
  finalRefusal,
  lastChunk,
  reply,
  response,
  responseStream,
  textItem,
} from "../answers.mjs";
import { outcome, portrait } from "../noticed.mjs";

const messages = [{ role: "user", content: "add" }];
const ask = { model: "m", messages };
const input = { model: "m", input: "add" };

const has = (owner, name) => typeof owner?.prototype[name] === "function";
/** Where a resource is: out of beta since openai 5. */
const completionsOf = ({ chat, beta }) => (chat.completions.parse ? chat : beta.chat).completions;
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

const tool = (run, name = "add") => ({
  type: "function",
  function: {
    name,
    description: name,
    parameters: { type: "object", properties: { a: { type: "number" } } },
    parse: JSON.parse,
    function: run,
  },
});

/** Everything that a runner or stream emits, in order. */
const listen = (emitter, names, note) => {
  for (const name of names) emitter.on(name, (...values) => note(name, ...values));
};

const CHAT_EVENTS = [
  "connect",
  "chunk",
  "content",
  "message",
  "functionToolCall",
  "functionToolCallResult",
  "finalContent",
  "finalChatCompletion",
  "totalUsage",
  "error",
  "abort",
  "end",
];

/** Ends after its answer has been seen, and tells all the messages. */
const ended = async (runner) => [
  await outcome(() => runner.finalContent()),
  await outcome(() => runner.done()),
  runner.messages,
  portrait(runner.controller.signal),
];

const wholeRunner = (client, tools, options) =>
  completionsOf(client).runTools({ ...ask, tools }, options);
const streamingRunner = (client, tools, options) =>
  completionsOf(client).runTools({ ...ask, tools, stream: true }, options);

const toolStream = () =>
  events([
    chunk({ role: "assistant", content: null }),
    callPart(0, "", "add"),
    callPart(0, '{"a":1}'),
    lastChunk("tool_calls"),
  ]);

const RUNNER_TOOL = {
  type: "function",
  name: "add",
  description: "adds",
  strict: true,
  parameters: {
    type: "object",
    properties: { a: { type: "number" } },
    required: ["a"],
    additionalProperties: false,
  },
};

const decision = (choice) =>
  reply({
    answers: [
      {
        type: "choice",
        name: "next_action",
        choice,
        confidence: 1,
        probabilities: [{ value: choice, probability: 1 }],
      },
    ],
    model: "m-1",
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  });

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
  ...[
    ["runTools", wholeRunner, () => chatCalling(["add", '{"a":1}']), () => chat("Done.")],
    ["runTools with streams", streamingRunner, toolStream, () => chatStream(2)],
  ].flatMap(([kind, start, call, done]) => [
    {
      name: `${kind}: a tool is called, its output sent, the answer given`,
      answers: [call(), done()],
      app: async ({ client, note }) => {
        const runner = start(client, [
          tool((args, own) => {
            note("tool", args, own === runner);
            return "1";
          }),
        ]);
        listen(runner, CHAT_EVENTS, note);
        return await ended(runner);
      },
      spans: ["chat m", "chat m"],
    },
    {
      name: `${kind}: a tool that throws, at once and later`,
      answers: [call(), call()],
      app: async ({ client }) => {
        const thrower = () => {
          throw new RangeError("no");
        };
        const rejecter = async () => thrower();
        return [
          await ended(start(client, [tool(thrower)])),
          await ended(start(client, [tool(rejecter)])),
        ];
      },
      spans: ["chat m", "chat m"],
    },
    {
      name: `${kind}: aborted while a tool works`,
      answers: [call()],
      app: async ({ client }) => {
        const runner = start(client, [
          tool(async () => {
            runner.abort();
            await sleep(5);
            return "1";
          }),
        ]);
        return await ended(runner);
      },
    },
    {
      name: `${kind}: a tool that nobody has, arguments that are no JSON, too many turns`,
      answers: [call(), call(), done()],
      app: async ({ client }) => [
        await ended(start(client, [tool(() => "1", "other")], { maxChatCompletions: 1 })),
        await ended(
          start(client, [
            {
              ...tool(() => "1"),
              function: { ...tool(() => "1").function, parse: () => JSON.parse("{") },
            },
          ]),
        ),
      ],
      spans: 3,
    },
  ]),
  {
    name: "runTools: two tools at once, one calls the model itself",
    answers: [chatCalling(["add", '{"a":1}'], ["think", '{"a":2}']), chat("inner"), chat("Done.")],
    app: async ({ client, note }) => {
      const runner = wholeRunner(client, [
        tool(({ a }) => a),
        tool(async () => {
          const { choices } = await client.chat.completions.create(ask);
          note("inner", choices);
          return choices[0].message.content;
        }, "think"),
      ]);
      return await ended(runner);
    },
    spans: ["chat m", "chat m", "chat m"],
  },
  {
    name: "ResponsesToolRunner, whole",
    needs: async (sdk) => (await sdk.part("helpers/responses-tool-runner")).ResponsesToolRunner,
    answers: [response([callItem("add", '{"a":1}')]), response()],
    app: async ({ client, sdk, note }) => {
      const { ResponsesToolRunner } = await sdk.part("helpers/responses-tool-runner");
      const execute = (args) => {
        note("tool", args);
        return "1";
      };
      const runner = new ResponsesToolRunner({ functions: [{ tool: RUNNER_TOOL, execute }] });
      const onDiagnostic = ({ duration_ms, ...rest }) => note("diagnostic", rest);
      return [await outcome(() => runner.run(client, input, { onDiagnostic })), runner.close()];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "ResponsesToolRunner, eager and concurrent over a stream",
    needs: async (sdk) => (await sdk.part("helpers/responses-tool-runner")).ResponsesToolRunner,
    answers: [
      responseStream([callItem("add", '{"a":1}'), callItem("sub", '{"a":2}')]),
      responseStream([textItem("Done.")]),
    ],
    app: async ({ client, sdk, note }) => {
      const { ResponsesToolRunner } = await sdk.part("helpers/responses-tool-runner");
      const functions = ["add", "sub"].map((name) => ({
        tool: { ...RUNNER_TOOL, name },
        independent: true,
        execute: async (args) => {
          note(name, args);
          return "1";
        },
      }));
      const runner = new ResponsesToolRunner({ functions });
      const options = { stream: true, eager: true, onEvent: ({ type }) => note(type) };
      return await outcome(() => runner.run(client, input, options));
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "ResponsesToolRunner: a tool that throws",
    needs: async (sdk) => (await sdk.part("helpers/responses-tool-runner")).ResponsesToolRunner,
    answers: [response([callItem("add", '{"a":1}')])],
    app: async ({ client, sdk }) => {
      const { ResponsesToolRunner } = await sdk.part("helpers/responses-tool-runner");
      const execute = () => {
        throw new RangeError("mine");
      };
      const runner = new ResponsesToolRunner({ functions: [{ tool: RUNNER_TOOL, execute }] });
      return await outcome(() => runner.run(client, input));
    },
    spans: ["chat m"],
  },
  {
    name: "DecisionsToolRunner",
    needs: async (sdk) => (await sdk.part("helpers/decisions-tool-runner")).DecisionsToolRunner,
    answers: [decision("step"), decision("done")],
    app: async ({ client, sdk, note }) => {
      const { DecisionsToolRunner } = await sdk.part("helpers/decisions-tool-runner");
      const runner = new DecisionsToolRunner({
        observe: () => "where we are",
        candidates: () => [
          { id: "step", description: "a step", execute: () => note("step") },
          { id: "done", description: "the end", done: true },
        ],
        verify: () => true,
      });
      return await outcome(() => runner.run(client, input));
    },
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
