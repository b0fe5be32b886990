// What the SDK builds on its own calls: runners that call tools.
import { setTimeout as sleep } from "node:timers/promises";
import {
  callItem,
  callPart,
  chat,
  chatCalling,
  chatStream,
  chunk,
  events,
  lastChunk,
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

export const runners = [
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
];
