import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Span } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Exchange } from "@thoughtflow/testkit";
import { loadExchanges, toExchange } from "@thoughtflow/testkit";
import OpenAI, { APIPromise } from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { Stream } from "openai/streaming";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, notice, type Scenario, settled } from "../testing/notice.ts";
import { degradations } from "./degradation.ts";
import { endOpenRuns } from "./derived-runs.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";

/** With what the spans of the observed run say: name, outcome, error. */
interface ObservedScenario extends Scenario {
  readonly spans: readonly string[];
}

type ChatStream = OpenAI.ChatCompletionCreateParamsStreaming;
type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;

const chatLoop = loadExchanges("pydantic-ai-openai/chat-tool-loop-retry");
const chatStream = loadExchanges("otel-contrib-py/chat-stream-usage-only-chunk");
const responsesLoop = loadExchanges("pydantic-ai-openai/responses-reasoning-tool-loop");
const responsesStream = loadExchanges("pydantic-ai-openai/responses-stream-tool-loop");

const [firstChat] = chatLoop;
const [firstChatStream] = chatStream;
const [firstResponses] = responsesLoop;
const [firstResponsesStream] = responsesStream;

const chatBody = firstChat?.request.body as Chat;
const chatStreamBody = firstChatStream?.request.body as ChatStream;
const responsesBody = firstResponses?.request
  .body as OpenAI.Responses.ResponseCreateParamsNonStreaming;
const responsesStreamBody = firstResponsesStream?.request
  .body as OpenAI.Responses.ResponseCreateParamsStreaming;

const one = (exchange: Exchange | undefined): Exchange[] =>
  exchange === undefined ? [] : [exchange];
const CHAT = `chat ${chatBody.model}`;
const CHAT_STREAM = `chat ${chatStreamBody.model}`;
const RESPONSES = `chat ${responsesBody.model}`;
const RESPONSES_STREAM = `chat ${responsesStreamBody.model}`;

const read = async (stream: AsyncIterable<unknown>): Promise<unknown[]> => {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
};

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let round = 0; round < 10; round++) {
    await sleep(10);
    gc();
  }
  await sleep(20);
};

const answer = (content: string, more: object = {}) =>
  toExchange("/v1/chat/completions", {
    id: "c",
    object: "chat.completion",
    model: "m",
    choices: [
      { index: 0, finish_reason: "stop", message: { role: "assistant", content, ...more } },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });

const callsTool = (id: string, args: string) => ({
  tool_calls: [{ id, type: "function", function: { name: "add", arguments: args } }],
});

const promises: ObservedScenario[] = [
  {
    name: "the promise is the SDK's own, twice awaited is one request",
    exchanges: one(firstChat),
    app: async (client) => {
      const promise = client.chat.completions.create(chatBody);
      const [left, right] = [await promise, await promise];
      return [promise instanceof APIPromise, Object.keys(promise), left === right, left];
    },
    spans: [CHAT],
  },
  {
    name: "then, catch and finally",
    exchanges: one(firstResponses),
    app: async (client) => {
      const promise = client.responses.create(responsesBody);
      let settled = false;
      await promise.finally(() => {
        settled = true;
      });
      return [settled, await promise.then(({ id }) => id), await promise.catch(() => "caught")];
    },
    spans: [RESPONSES],
  },
  {
    name: "withResponse",
    exchanges: [...one(firstChat), ...one(firstChatStream)],
    app: async (client) => {
      const plain = await client.chat.completions.create(chatBody).withResponse();
      const streamed = await client.chat.completions.create(chatStreamBody).withResponse();
      return [plain.data, plain.response.status, plain.request_id, await read(streamed.data)];
    },
    spans: [CHAT, CHAT_STREAM],
  },
  {
    name: "asResponse leaves the body to the app",
    exchanges: [...one(firstChat), ...one(firstChatStream), ...one(firstResponses)],
    app: async (client) => [
      await (await client.chat.completions.create(chatBody).asResponse()).text(),
      await (await client.chat.completions.create(chatStreamBody).asResponse()).text(),
      await (await client.responses.create(responsesBody).asResponse()).text(),
    ],
    spans: [`${CHAT} raw_response`, `${CHAT_STREAM} raw_response`, `${RESPONSES} raw_response`],
  },
  {
    name: "asResponse beside the parsed answer",
    exchanges: one(firstChat),
    app: async (client) => {
      const promise = client.chat.completions.create(chatBody);
      const [response, data] = await Promise.all([promise.asResponse(), promise]);
      return [response.status, data];
    },
    spans: [CHAT],
  },
  {
    name: "an ignored failure is one unhandled rejection, a handled one is none",
    exchanges: [
      ...loadExchanges("openinference-agents/chat-401"),
      ...loadExchanges("openinference-agents/chat-401"),
    ],
    app: async (client, server) => {
      client.chat.completions.create({ model: "m", messages: [] });
      while (server.requests.length === 0) await sleep(5);
      await settled(server);
      return await failure(client.chat.completions.create({ model: "m", messages: [] }));
    },
    spans: ["chat m error invalid_api_key", "chat m error invalid_api_key"],
  },
  {
    name: "options in a promise, and parameters that are none",
    exchanges: one(firstChat),
    app: async (client) => {
      const options = Promise.resolve({ headers: { "x-mine": "1" } });
      const create = client.chat.completions.create.bind(client.chat.completions) as (
        ...args: unknown[]
      ) => Promise<unknown>;
      return [await failure(create(chatBody, options)), await failure(create(undefined))];
    },
    spans: [CHAT, "chat error TypeError"],
  },
  {
    name: "a promise that nobody awaits",
    exchanges: one(firstChat),
    app: async (client, server) => {
      void client.chat.completions.create(chatBody);
      while (server.requests.length === 0) await sleep(5);
      await settled(server);
      await collectGarbage();
    },
    spans: [`${CHAT} abandoned`],
  },
];

const streams: ObservedScenario[] = [
  {
    name: "a stream is the SDK's own and gives every chunk",
    exchanges: [...one(firstChatStream), ...one(firstResponsesStream)],
    server: { splitSeed: 3 },
    app: async (client) => {
      const chat = await client.chat.completions.create(chatStreamBody);
      const chunks = await read(chat);
      const responses = await client.responses.create(responsesStreamBody);
      return [chat instanceof Stream, chunks, responses instanceof Stream, await read(responses)];
    },
    spans: [CHAT_STREAM, RESPONSES_STREAM],
  },
  {
    name: "break aborts the request at once",
    exchanges: one(firstChatStream),
    server: { pieceDelayMs: 5 },
    app: async (client) => {
      const stream = await client.chat.completions.create(chatStreamBody);
      let after: unknown;
      for await (const chunk of stream) {
        after = chunk;
        break;
      }
      return [after, stream.controller.signal.aborted];
    },
    spans: [`${CHAT_STREAM} cancelled`],
  },
  {
    name: "a throw in the loop's body",
    exchanges: one(firstResponsesStream),
    server: { pieceDelayMs: 5 },
    app: async (client) => {
      const stream = await client.responses.create(responsesStreamBody);
      const thrown = await failure(
        (async () => {
          for await (const _ of stream) throw new Error("mine");
        })(),
      );
      return [thrown, stream.controller.signal.aborted];
    },
    spans: [`${RESPONSES_STREAM} cancelled`],
  },
  {
    name: "controller.abort() while reading",
    exchanges: one(firstChatStream),
    server: { pieceDelayMs: 5 },
    app: async (client) => {
      const stream = await client.chat.completions.create(chatStreamBody);
      let count = 0;
      for await (const _ of stream) if (++count === 2) stream.controller.abort();
      return count;
    },
    spans: [`${CHAT_STREAM} aborted`],
  },
  {
    name: "an abort signal before the headers",
    exchanges: [],
    server: { faults: { 0: { kind: "hang" } } },
    app: async (client) => {
      const controller = new AbortController();
      const promise = client.chat.completions.create(chatBody, { signal: controller.signal });
      setTimeout(() => controller.abort(), 30);
      return await failure(promise);
    },
    spans: [`${CHAT} aborted`],
  },
  {
    name: "tee: both branches, and one alone",
    exchanges: [...one(firstChatStream), ...one(firstChatStream)],
    app: async (client) => {
      const both = (await client.chat.completions.create(chatStreamBody)).tee();
      const [left, right] = await Promise.all([read(both[0]), read(both[1])]);
      const [only] = (await client.chat.completions.create(chatStreamBody)).tee();
      await collectGarbage();
      return [left, right, await read(only)];
    },
    spans: [CHAT_STREAM, CHAT_STREAM],
  },
  {
    name: "toReadableStream, read and cancelled",
    exchanges: [...one(firstChatStream), ...one(firstChatStream)],
    server: { pieceDelayMs: 2 },
    app: async (client) => {
      const whole = await client.chat.completions.create(chatStreamBody);
      const text = await new Response(whole.toReadableStream()).text();
      const part = (await client.chat.completions.create(chatStreamBody)).toReadableStream();
      const reader = part.getReader();
      const first = await reader.read();
      await reader.cancel();
      return [text, first.done];
    },
    spans: [CHAT_STREAM, `${CHAT_STREAM} cancelled`],
  },
  {
    name: "next() by hand, the iterator dropped, later aborted",
    exchanges: one(firstChatStream),
    server: { pieceDelayMs: 20 },
    app: async (client) => {
      const stream = await client.chat.completions.create(chatStreamBody);
      const iterator = stream[Symbol.asyncIterator]();
      const first = await iterator.next();
      stream.controller.abort();
      await sleep(20);
      return [first, await iterator.next()];
    },
    spans: [`${CHAT_STREAM} aborted`],
  },
  {
    name: "a stream that is never read",
    exchanges: one(firstChatStream),
    app: async (client) => {
      await client.chat.completions.create(chatStreamBody);
      await collectGarbage();
    },
    spans: [`${CHAT_STREAM} abandoned`],
  },
  {
    name: "a stream read twice",
    exchanges: one(firstChatStream),
    app: async (client) => {
      const stream = await client.chat.completions.create(chatStreamBody);
      return [await read(stream), await failure(read(stream))];
    },
    spans: [CHAT_STREAM],
  },
  {
    name: "an error event in a stream that began with status 200",
    exchanges: loadExchanges("openai-compatible/groq-stream-error-event").slice(0, 1),
    app: async (client) => {
      const stream = await client.chat.completions.create(chatStreamBody);
      return await failure(read(stream));
    },
    spans: [`${CHAT_STREAM} error tool_use_failed`],
  },
  {
    name: "a socket cut in the middle",
    exchanges: one(firstResponsesStream),
    server: { faults: { 0: { kind: "cut", afterBytes: 2_000 } } },
    app: async (client) => {
      const stream = await client.responses.create(responsesStreamBody);
      return await failure(read(stream));
    },
    spans: [`${RESPONSES_STREAM} error TypeError`],
  },
  {
    name: "no [DONE], a chunk without choices, interleaved choices",
    exchanges: [
      toExchange(
        "/v1/chat/completions",
        'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n',
      ),
      ...loadExchanges("otel-contrib-js/chat-stream-chunk-without-choices"),
      ...loadExchanges("otel-contrib-js/chat-stream-two-choices"),
    ],
    app: async (client) => {
      const results: unknown[] = [];
      for (let call = 0; call < 3; call++) {
        results.push(await read(await client.chat.completions.create(chatStreamBody)));
      }
      return results;
    },
    spans: [CHAT_STREAM, CHAT_STREAM, CHAT_STREAM],
  },
  {
    name: "a stream refused with 401",
    exchanges: loadExchanges("openinference-agents/chat-401"),
    app: (client) => failure(client.chat.completions.create(chatStreamBody)),
    spans: [`${CHAT_STREAM} error invalid_api_key`],
  },
];

const Sum = z.object({ sum: z.number() });

const helpers: ObservedScenario[] = [
  {
    name: "chat parse, well-formed and not",
    exchanges: [answer('{"sum":3}'), answer("not json")],
    app: async (client) => {
      const body = { ...chatBody, response_format: zodResponseFormat(Sum, "sum") };
      return [
        await failure(client.chat.completions.parse(body)),
        await failure(client.chat.completions.parse(body)),
      ];
    },
    spans: [CHAT, CHAT],
  },
  {
    name: "responses parse and asResponse of a derived promise",
    exchanges: [...one(firstResponses), ...one(firstResponses)],
    app: async (client) => {
      const body = { model: String(responsesBody.model), input: "x" };
      const parsed = await client.responses.parse({ ...body, tools: [] });
      const raw = await client.responses.parse({ ...body, tools: [] }).asResponse();
      return [parsed.output, await raw.text()];
    },
    spans: [RESPONSES, `${RESPONSES} raw_response`],
  },
  {
    name: "parse that the provider refuses",
    exchanges: [],
    server: {
      faults: {
        0: { kind: "status", status: 400, body: '{"error":{"message":"no","code":"bad"}}' },
      },
    },
    app: (client) =>
      failure(
        client.responses.parse({
          model: "m",
          input: "x",
          text: { format: zodTextFormat(Sum, "s") },
        }),
      ),
    spans: ["chat m error bad"],
  },
  {
    name: "the chat stream helper",
    exchanges: one(firstChatStream),
    app: async (client) => {
      const { stream: _, ...body } = chatStreamBody;
      const events: string[] = [];
      const helper = client.chat.completions.stream(body);
      helper.on("content", (delta) => events.push(delta));
      return [await helper.finalChatCompletion(), events];
    },
    spans: [CHAT_STREAM],
  },
  {
    name: "the responses stream helper, read and aborted",
    exchanges: [...one(firstResponsesStream), ...one(firstResponsesStream)],
    server: { pieceDelayMs: 1 },
    app: async (client) => {
      const { stream: _, ...body } = responsesStreamBody;
      const final = await client.responses.stream(body).finalResponse();
      const aborted = client.responses.stream(body);
      aborted.once("event", () => aborted.abort());
      return [final, await failure(aborted.done())];
    },
    spans: [RESPONSES_STREAM, `${RESPONSES_STREAM} aborted`],
  },
  {
    name: "runTools, with a tool that works and one that throws",
    exchanges: [
      answer("", callsTool("call_1", '{"a":1}')),
      answer("", callsTool("call_2", '{"a":2}')),
    ],
    app: async (client) => {
      const tool = {
        type: "function" as const,
        function: {
          name: "add",
          description: "adds",
          parameters: { type: "object", properties: { a: { type: "number" } } },
          parse: JSON.parse,
          function: ({ a }: { a: number }) => {
            if (a === 2) throw new Error("no twos");
            return "1";
          },
        },
      };
      const runner = client.chat.completions.runTools({
        model: "m",
        messages: [{ role: "user", content: "add" }],
        tools: [tool],
      });
      return [await failure(runner.finalContent()), runner.messages];
    },
    spans: ["chat m", "execute_tool add", "chat m", "execute_tool add Error"],
  },
];

const failures: ObservedScenario[] = [
  ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map(
    (status): ObservedScenario => ({
      name: `status ${status}`,
      exchanges: [],
      server: {
        faults: {
          0: {
            kind: "status",
            status,
            headers: { "x-should-retry": "false", "x-request-id": "req_1" },
            body: JSON.stringify({
              error: { message: "why", type: "kind", code: `code_${status}` },
            }),
          },
        },
      },
      app: (client) => failure(client.chat.completions.create(chatBody)),
      spans: [`${CHAT} error code_${status}`],
    }),
  ),
  {
    name: "an error page instead of JSON",
    exchanges: [],
    server: {
      faults: {
        0: {
          kind: "status",
          status: 400,
          headers: { "content-type": "text/html" },
          body: "<h1>no</h1>",
        },
      },
    },
    app: (client) => failure(client.embeddings.create({ model: "e", input: "x" })),
    spans: ["embeddings e error BadRequestError"],
  },
  {
    name: "429, then an answer",
    exchanges: one(firstChat),
    server: { faults: { 0: { kind: "status", status: 429, headers: { "retry-after-ms": "5" } } } },
    app: (client) => failure(client.chat.completions.create(chatBody)),
    spans: [`${CHAT} resent 1`],
  },
  {
    name: "a timeout",
    exchanges: [],
    server: { faults: { 0: { kind: "hang" } } },
    app: (client) =>
      failure(client.chat.completions.create(chatBody, { timeout: 40, maxRetries: 0 })),
    spans: [`${CHAT} error APIConnectionTimeoutError`],
  },
  {
    name: "completions and embeddings, plain and streamed",
    exchanges: [
      ...loadExchanges("openllmetry-py-core/completions").slice(0, 1),
      ...loadExchanges("openllmetry-py-core/completions-stream").slice(0, 1),
      ...loadExchanges("openllmetry-py-core/embeddings-base64").slice(0, 1),
    ],
    server: { match: "path" },
    app: async (client) => [
      await client.completions.create({ model: "c", prompt: "x" }),
      await read(await client.completions.create({ model: "c", prompt: "x", stream: true })),
      await client.embeddings.create({ model: "e", input: "x" }),
    ],
    spans: ["text_completion c", "text_completion c", "embeddings e"],
  },
];

const started = new Set<Span>();
const ended: ReadableSpan[] = [];
const provider = new NodeTracerProvider({
  spanProcessors: [
    {
      onStart: (span) => started.add(span),
      onEnd: (span) => {
        started.delete(span as unknown as Span);
        ended.push(span);
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ],
});

function summary({ name, attributes, status }: ReadableSpan): string {
  const resent = attributes["http.request.resend_count"];
  return [
    name,
    ...(attributes["thoughtflow.outcome"] === undefined ? [] : [attributes["thoughtflow.outcome"]]),
    ...(attributes["error.type"] === undefined ? [] : [attributes["error.type"]]),
    ...(resent === undefined ? [] : [`resent ${resent}`]),
    ...((status.code === 2) === (attributes["error.type"] !== undefined) ? [] : ["wrong status"]),
  ].join(" ");
}

beforeAll(() => provider.register());

beforeEach(() => {
  started.clear();
  ended.length = 0;
});

describe.each([
  ["promises", promises],
  ["streams", streams],
  ["helpers", helpers],
  ["failures", failures],
])("%s", (_group, scenarios) => {
  it.each(scenarios)(
    "$name",
    async (scenario) => {
      const bare = await notice(OpenAI, scenario);
      expect(ended).toEqual([]);
      const unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider });
      const observed = await notice(OpenAI, scenario).finally(unpatch);
      endOpenRuns();
      expect(observed).toEqual(bare);
      const spans = [...ended];
      expect(spans.filter(({ name }) => name !== "invoke_agent").map(summary)).toEqual(
        scenario.spans,
      );
      expect([...started].map((span) => (span as unknown as ReadableSpan).name)).toEqual([]);
      expect(degradations()).toEqual({});
    },
    15_000,
  );
});
