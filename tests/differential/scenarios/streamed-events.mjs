// What comes in a stream: errors, states, parts in turns, and what nobody knows.
import {
  callItem,
  callPart,
  chunk,
  events,
  lastChunk,
  reply,
  response,
  responseEvents,
  responseStream,
  responseValue,
  textItem,
  usageChunk,
} from "../answers.mjs";
import { outcome } from "../noticed.mjs";
import { read, readUntilError } from "../reading.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }], stream: true };
const input = { model: "m", input: "hi", stream: true };

export const streamedEvents = [
  {
    name: "an error event in a stream that began well",
    answers: [
      events([
        chunk({ content: "a" }),
        { error: { message: "broke", type: "server_error", code: "broken" } },
      ]),
    ],
    app: async ({ client }) => readUntilError(await client.chat.completions.create(ask)),
    spans: 1,
  },
  {
    name: "an error event in a response stream",
    answers: [
      events(
        [
          ...responseEvents(responseValue()).slice(0, 3),
          {
            type: "error",
            code: "server_error",
            message: "broke",
            param: null,
            sequence_number: 3,
          },
        ],
        { done: false },
      ),
    ],
    app: async ({ client }) => readUntilError(await client.responses.create(input)),
    spans: 1,
  },
  ...["failed", "incomplete", "queued"].map((status) => ({
    name: `a response that ends as ${status}`,
    answers: [
      responseStream(
        [textItem("Half")],
        {
          status,
          ...(status === "failed" && { error: { code: "server_error", message: "broke" } }),
          ...(status === "incomplete" && { incomplete_details: { reason: "max_output_tokens" } }),
        },
        `response.${status}`,
      ),
    ],
    app: async ({ client }) => readUntilError(await client.responses.create(input)),
    spans: 1,
  })),
  {
    name: "no [DONE] at the end",
    answers: [events([chunk({ content: "a" }), lastChunk()], { done: false })],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "a chunk without choices, an empty one, one of no known kind",
    answers: [
      events([
        { id: "c", model: "m-1" },
        {},
        { object: "nothing.known", choices: null },
        chunk({ content: "a" }),
        lastChunk(),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "usage in a last chunk of its own, and none at all",
    answers: [events([chunk({ content: "a" }), usageChunk]), events([chunk({ content: "a" })])],
    app: async ({ client }) => [
      await read(
        await client.chat.completions.create({ ...ask, stream_options: { include_usage: true } }),
      ),
      await read(await client.chat.completions.create(ask)),
    ],
    spans: ["chat m", "chat m"],
  },
  {
    name: "two choices in turns",
    answers: [
      events([
        chunk({ content: "a" }),
        chunk({ content: "b" }, {}, { index: 1 }),
        chunk({ content: "c" }),
        chunk({}, {}, { index: 1, finish_reason: "length" }),
        lastChunk(),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create({ ...ask, n: 2 })),
    spans: ["chat m"],
  },
  {
    name: "parallel tool calls, one after the other",
    answers: [
      events([
        callPart(0, "", "add"),
        callPart(0, '{"a":1}'),
        callPart(1, "", "sub"),
        callPart(1, '{"b":2}'),
        lastChunk("tool_calls"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "parallel tool calls whose parts interleave",
    answers: [
      events([
        callPart(0, "", "add"),
        callPart(1, "", "sub"),
        callPart(0, '{"a":'),
        callPart(1, '{"b":'),
        callPart(0, "1}"),
        callPart(1, "2}"),
        lastChunk("tool_calls"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "refusals, logprobs and audio",
    answers: [
      events([
        chunk({ refusal: "I " }),
        chunk({ refusal: "can't" }),
        chunk(
          { content: "x" },
          {},
          {
            logprobs: {
              content: [{ token: "x", logprob: -1, bytes: null, top_logprobs: [] }],
              refusal: null,
            },
          },
        ),
        chunk({ audio: { id: "a", transcript: "x", data: "AAAA" } }),
        lastChunk("content_filter"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(ask)),
    spans: ["chat m"],
  },
  {
    name: "an event that is no JSON",
    answers: [events([chunk({ content: "a" }), "{not json", chunk({ content: "b" })])],
    app: async ({ clientWith }) => {
      const client = clientWith({ logLevel: "off" });
      const { error } = console;
      console.error = () => {};
      try {
        return await readUntilError(await client.chat.completions.create(ask));
      } finally {
        console.error = error;
      }
    },
    spans: 1,
  },
  {
    name: "a stream without a single event",
    answers: [reply(""), reply("data: [DONE]\n\n"), reply(": only a comment\n\n")],
    app: async ({ client }) => {
      const all = [];
      for (let n = 0; n < 3; n++)
        all.push(await readUntilError(await client.chat.completions.create(ask)));
      return all;
    },
    spans: 3,
  },
  {
    name: "a response in the background, fetched again where it stopped",
    needs: ({ OpenAI }) => typeof OpenAI.Responses?.prototype.retrieve === "function",
    answers: [
      events(responseEvents(responseValue()).slice(0, 3), { done: false }),
      responseStream(),
      response(),
    ],
    app: async ({ client }) => {
      const stream = await client.responses.create({ ...input, background: true });
      const first = await read(stream);
      const second = await outcome(async () =>
        read(await client.responses.retrieve("resp_1", { stream: true, starting_after: 2 })),
      );
      return [first, second, await client.responses.retrieve("resp_1")];
    },
  },
  {
    name: "items and events that nobody knows, in and out",
    answers: [
      response([{ type: "from_the_future", id: "x", payload: [1] }, textItem("a")]),
      events(
        [
          ...responseEvents(responseValue()).slice(0, 2),
          { type: "response.telepathy", thought: {} },
          ...responseEvents(responseValue()).slice(2),
        ],
        { done: false },
      ),
    ],
    app: async ({ client }) => [
      await client.responses.create({
        model: "m",
        input: [
          { type: "also_unknown", x: 1 },
          { role: "user", content: "x" },
        ],
      }),
      await read(await client.responses.create(input)),
    ],
    spans: ["chat m", "chat m"],
  },
  {
    name: "tool calls in a response stream",
    answers: [responseStream([callItem("add", '{"a":1}'), callItem("sub", '{"b":2}')])],
    app: async ({ client }) => read(await client.responses.create(input)),
    spans: ["chat m"],
  },
];
