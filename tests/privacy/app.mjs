// An app that gives away a secret wherever one can be given away, and writes its log records to LOGS.
import { appendFileSync } from "node:fs";
import { setImmediate as rest } from "node:timers/promises";
import { logs } from "@opentelemetry/api-logs";
import { LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { recordThought, withRun, withToolCall } from "@thoughtflow/tracing";
import OpenAI from "openai";
import { base64, plant, text } from "./plants.mjs";

const exporter = {
  export(records, done) {
    for (const { eventName, attributes } of records)
      appendFileSync(process.env.LOGS, `${JSON.stringify({ eventName, attributes })}\n`);
    done({ code: 0 });
  },
  shutdown: async () => {},
};
logs.setGlobalLoggerProvider(
  new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] }),
);

const openai = new OpenAI({
  apiKey: plant("api key").needle.replaceAll(" ", "-"),
  baseURL: process.env.BASE_URL,
  defaultHeaders: { "x-note": text("header of the client").replaceAll("\n", " ") },
  defaultQuery: { note: text("query of the base URL") },
  maxRetries: 0,
});
const create = (parameters) => openai.chat.completions.create({ model: "m", ...parameters });
const ask = (content) => ({ messages: [{ role: "user", content }] });
const read = async (stream) => {
  for await (const _ of await stream);
};
const failing = (promise) => promise.catch(() => undefined);

const tools = [
  {
    type: "function",
    function: {
      name: "find",
      description: text("chat tool description"),
      parameters: {
        type: "object",
        properties: {
          q: {
            type: "string",
            description: text("chat tool parameter's description"),
            default: text("chat tool parameter's default"),
          },
        },
      },
    },
  },
];

await create({
  messages: [
    { role: "system", content: text("chat system message") },
    { role: "developer", content: text("chat developer message") },
    { role: "user", content: text("chat user message") },
    { role: "assistant", content: text("chat assistant message of the history") },
    {
      role: "user",
      content: [
        { type: "text", text: text("chat user text part") },
        {
          type: "image_url",
          image_url: { url: `https://img.test/?${text("chat image address")}` },
        },
        {
          type: "image_url",
          image_url: { url: `data:image/png;base64,${base64("chat image data")}` },
        },
        { type: "input_audio", input_audio: { format: "wav", data: base64("chat sound data") } },
        {
          type: "file",
          file: { file_data: `data:application/pdf;base64,${base64("chat file data")}` },
        },
      ],
    },
  ],
  response_format: {
    type: "json_schema",
    json_schema: {
      name: "out",
      schema: { type: "object", description: text("chat output schema's description") },
    },
  },
});
await create({
  tools,
  messages: [
    { role: "user", content: `first\n${text("chat user message, line by line")}\nlast` },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "call_old",
          type: "function",
          function: {
            name: "find",
            arguments: JSON.stringify({ q: text("chat tool call arguments of the history") }),
          },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_old", content: text("chat tool result") },
    {
      role: "tool",
      tool_call_id: "call_older",
      content: JSON.stringify({ found: [text("chat tool result as JSON")] }),
    },
  ],
});
await read(create({ ...ask("stream"), stream: true }));
await read(create({ ...ask("stream a call"), stream: true, tools }));
await openai.responses.create({
  model: "m",
  instructions: text("responses instructions"),
  input: [
    { role: "user", content: [{ type: "input_text", text: text("responses input text") }] },
    { type: "function_call", call_id: "call_r", name: "find", arguments: "{}" },
    { type: "function_call_output", call_id: "call_r", output: text("responses function output") },
  ],
});
await read(openai.responses.create({ model: "m", input: "stream", stream: true }));
await openai.completions.create({ model: "m", prompt: text("completion prompt") });
await openai.embeddings.create({
  model: "e",
  input: text("embedding input"),
  encoding_format: "float",
});
await failing(create(ask("refused")));
await failing(read(create({ ...ask("late error"), stream: true })));
const offline = openai.withOptions({
  fetch: () => Promise.reject(new TypeError(text("error of the connection"))),
});
await failing(offline.chat.completions.create({ model: "m", ...ask("offline") }));
await failing(
  withRun({ name: "own" }, () => {
    recordThought({ thought: "The tool knows.", type: "planning" });
    return withToolCall({ name: "find", args: { q: text("tool's own arguments") } }, async () => {
      throw new RangeError(text("tool's own error"));
    });
  }),
);
await rest();
await rest();
