import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { instrumentOpenAI } from "./instrument-openai.ts";

const CHUNKS = 100_000;
const WORD = "word ";

/** Events of a chat stream, made as they are read: nothing of them is held here. */
function events(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent === CHUNKS) {
        controller.enqueue(encoder.encode("data: [DONE]\n\n"));
        controller.close();
        return;
      }
      const chunk = {
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta: { content: WORD }, finish_reason: null }],
        sequence: sent++,
      };
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`));
    },
  });
}

test("of a stream of 100,000 chunks the text is kept and no chunk", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const inUse = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const ended: ReadableSpan[] = [];
  const spanProcessor = {
    onStart: () => {},
    onEnd: (span: ReadableSpan) => void ended.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider: new NodeTracerProvider({ spanProcessors: [spanProcessor] }),
    captureContentOnSpans: true,
    derivedRuns: false,
  });
  const openai = new OpenAI({
    apiKey: "k",
    fetch: async () => new Response(events(), { headers: { "content-type": "text/event-stream" } }),
  });
  const stream = await openai.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "Talk." }],
    stream: true,
  });

  let read = 0;
  let atTenth = 0;
  let most = 0;
  for await (const _chunk of stream) {
    read += 1;
    if (read === CHUNKS / 10) atTenth = inUse();
    else if (read % (CHUNKS / 10) === 0) most = Math.max(most, inUse() - atTenth);
  }
  unpatch();

  // A chunk object takes more than 400 bytes; a piece of a text that grows takes 32.
  expect(most / (CHUNKS * 0.9)).toBeLessThan(100);
  expect(ended).toHaveLength(1);
  expect(ended[0]?.attributes["thoughtflow.stream.chunks"]).toBe(CHUNKS);
  const [answer] = JSON.parse(String(ended[0]?.attributes["gen_ai.output.messages"]));
  expect(answer.parts).toEqual([{ type: "text", content: WORD.repeat(CHUNKS) }]);
});
