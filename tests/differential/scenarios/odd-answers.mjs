// Answers that no provider should give, and what apps do to good ones.
import {
  callPart,
  chat,
  chatStream,
  chunk,
  events,
  finalRefusal,
  lastChunk,
  reply,
  responseEvents,
  responseStream,
  responseValue,
} from "../answers.mjs";
import { outcome } from "../noticed.mjs";
import { read, readUntilError } from "../reading.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const stream = { ...ask, stream: true };
const input = { model: "m", input: "hi" };
const wire =
  (body, type = "application/json") =>
  async () =>
    new Response(body, { headers: { "content-type": type } });

export const oddAnswers = [
  {
    name: "a stream asked for and JSON given, and the other way round",
    app: async ({ clientWith }) => {
      const json = JSON.stringify({ ...chunk({ content: "a" }), object: "chat.completion" });
      const sse = `data: ${JSON.stringify(chunk({ content: "a" }))}\n\ndata: [DONE]\n\n`;
      const asJson = clientWith({ fetch: wire(json) });
      const asEvents = clientWith({ fetch: wire(sse, "text/event-stream") });
      return [
        await outcome(async () => readUntilError(await asJson.chat.completions.create(stream))),
        await outcome(() => asEvents.chat.completions.create(ask)),
      ];
    },
    spans: 2,
  },
  {
    name: "events by the letter: CR LF, comments, several lines of data, a byte order mark, no last newline",
    app: async ({ clientWith }) => {
      const one = JSON.stringify(chunk({ content: "é€😀" }));
      const [head, tail] = [one.slice(0, 20), one.slice(20)];
      const bodies = [
        `data: ${one}\r\n\r\ndata: [DONE]\r\n\r\n`,
        `: ping\n\nid: 7\nretry: 10\ndata: ${one}\n\n: ping\n\ndata: [DONE]\n\n`,
        `data:${head}\ndata:${tail}\n\ndata: [DONE]\n\n`,
        `\uFEFFdata: ${one}\n\ndata: [DONE]\n\n`,
        `data: ${one}\n\ndata: ${one}`,
        `data: ${one}\r\rdata: [DONE]\r\r`,
      ];
      const all = [];
      for (const body of bodies) {
        const client = clientWith({ fetch: wire(body, "text/event-stream"), logLevel: "off" });
        const { error } = console;
        console.error = () => {};
        try {
          all.push(await readUntilError(await client.chat.completions.create(stream)));
        } finally {
          console.error = error;
        }
      }
      return all;
    },
    spans: 6,
  },
  {
    name: "an answer and a chunk that the app changes, freezes or holds on to",
    answers: [chat(), chatStream(2)],
    app: async ({ client }) => {
      const answer = await client.chat.completions.create(ask);
      answer.choices[0].message.content = "mine";
      Object.freeze(answer);
      const seen = [];
      for await (const one of await client.chat.completions.create(stream)) {
        Object.freeze(one);
        seen.push(one);
      }
      return [answer, seen];
    },
    spans: ["chat m", "chat m"],
  },
  {
    name: "answers with keys of __proto__, of getters' names, and of nothing",
    answers: [
      reply('{"id":"x","__proto__":{"polluted":1},"choices":[{"constructor":1,"toJSON":2}],"":0}'),
      reply('{"id":"x","choices":{"0":1},"usage":"many","model":7,"error":null}'),
      reply("[]"),
    ],
    app: async ({ client }) => {
      const all = [];
      for (let n = 0; n < 3; n++)
        all.push(await outcome(() => client.chat.completions.create(ask)));
      return [all, {}.polluted];
    },
    spans: ["chat m", "chat m", "chat m"],
  },
  {
    name: "chunks that contradict each other",
    answers: [
      events([
        callPart(0, '{"a"', "add"),
        chunk({ tool_calls: [{ index: 0, id: "call_other", function: { arguments: ":1}" } }] }),
        chunk({ tool_calls: [{ index: -1 }, null, { index: 5, function: null }] }),
        chunk({ content: 7 }, { usage: null }, { index: "x" }),
        chunk({ role: "tool", content: ["a"] }, { choices: [{ delta: null }] }),
        lastChunk("tool_calls"),
        lastChunk("stop"),
      ]),
    ],
    app: async ({ client }) => read(await client.chat.completions.create(stream)),
    spans: ["chat m"],
  },
  {
    name: "events of a response that come in another order, twice, and after the end",
    answers: [
      events(
        (() => {
          const list = responseEvents(responseValue());
          return [list[4], ...list.slice(0, 3), list[3], list[3], ...list.slice(4), list[4]];
        })(),
        { done: false },
      ),
    ],
    app: async ({ client }) => read(await client.responses.create({ ...input, stream: true })),
    spans: ["chat m"],
  },
  {
    name: "a response whose stream is refused in the middle by an error of HTTP 200",
    answers: [
      responseStream(
        undefined,
        {
          status: "failed",
          error: { code: "rate_limit_exceeded", message: "slow down" },
        },
        "response.failed",
      ),
      finalRefusal(400),
    ],
    app: async ({ client }) => [
      await readUntilError(await client.responses.create({ ...input, stream: true })),
      await outcome(() => client.responses.create(input)),
    ],
    spans: ["chat m error rate_limit_exceeded", "chat m error c400"],
  },
];
