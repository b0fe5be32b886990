import { setImmediate as macrotask } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { processCounts } from "@thoughtflow/tracing/internal";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { says } from "../testing/scripted-model.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";

const MIB = 2 ** 20;
/** Messages of a context of about 1 MB, whose texts nobody else has. */
const contextOf = (call: number): OpenAI.ChatCompletionMessageParam[] =>
  Array.from({ length: 128 }, (_, at) => ({
    role: "user",
    content: `${call}.${at} ${"word ".repeat(1_600)}`,
  }));

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

async function inUse(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await macrotask();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/** An app whose own queue of spans sends nothing. */
function appWithQueue(captureContentOnSpans: boolean) {
  const queue: ReadableSpan[] = [];
  const spanProcessor = {
    onStart: () => {},
    onEnd: (span: ReadableSpan) => void queue.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider: new NodeTracerProvider({ spanProcessors: [spanProcessor] }),
    captureContentOnSpans,
  });
  const { response } = says("Sunny.");
  const openai = new OpenAI({
    apiKey: "k",
    fetch: async () =>
      new Response(response.body, { headers: { "content-type": "application/json" } }),
  });
  const ask = async (messages: OpenAI.ChatCompletionMessageParam[]): Promise<void> => {
    await openai.chat.completions.create({ model: "m", messages });
    await macrotask();
  };
  return { queue, ask, unpatch };
}

/** The calls among the spans of a queue. */
const callsIn = (queue: readonly ReadableSpan[]) =>
  queue.filter(({ attributes }) => attributes["gen_ai.response.id"] !== undefined);

test.for([[true], [false]])(
  "spans that wait in a queue of the app hold 64 MiB at most of messages that only they hold, content on: %s",
  async ([isShown = false]) => {
    const { queue, ask, unpatch } = appWithQueue(isShown);
    await ask([{ role: "user", content: "Hello" }]);
    const before = await inUse();
    for (let call = 0; call < 300; call += 1) await ask(contextOf(call));
    const held = (await inUse()) - before;
    unpatch();

    const calls = callsIn(queue);
    expect(calls).toHaveLength(301);
    expect(held).toBeLessThan(64 * MIB + 301 * 2 * 10 * 1024);
    // What every span tells of its messages without their words is there.
    for (const { attributes } of calls.slice(1)) {
      expect(JSON.parse(String(attributes["thoughtflow.messages"])).input).toHaveLength(128);
    }
    const counted = () => processCounts()["dropped_content"]?.["texts"] ?? 0;
    const dropped = counted();
    const [, first] = calls;
    const last = calls.at(-1);
    const told = (span: ReadableSpan | undefined, name: string) =>
      isShown ? JSON.parse(String(span?.attributes[name])) : span?.attributes[name];
    if (isShown) {
      expect(told(last, "gen_ai.input.messages")).toHaveLength(128);
      expect(told(first, "gen_ai.input.messages")).toEqual([
        expect.stringMatching(/^\[omitted: 10\d{5} characters\]$/),
      ]);
      expect(told(first, "gen_ai.output.messages")).toHaveLength(1);
      expect(counted() - dropped).toBe(2);
    } else {
      expect(told(first, "gen_ai.input.messages")).toBeUndefined();
    }
  },
);

test("a history that all of them hold counts once, and none of it is let go", async () => {
  const { queue, ask, unpatch } = appWithQueue(true);
  const messages = contextOf(0);
  const before = await inUse();
  for (let call = 0; call < 300; call += 1) {
    messages.push({ role: "user", content: `And ${call}?` });
    await ask(messages);
  }
  const held = (await inUse()) - before;
  unpatch();

  expect(held / 300).toBeLessThan(20 * 1024);
  for (const [at, { attributes }] of callsIn(queue).entries()) {
    expect(String(attributes["gen_ai.input.messages"]).endsWith(`And ${at}?"}]}]`)).toBe(true);
  }
});

test("and what has left its queue is held by nobody", async () => {
  const { queue, ask, unpatch } = appWithQueue(true);
  await ask(contextOf(-1));
  queue.length = 0;
  const before = await inUse();
  for (let call = 0; call < 20; call += 1) await ask(contextOf(call));
  const waiting = (await inUse()) - before;
  queue.length = 0;
  const left = (await inUse()) - before;
  unpatch();

  expect(waiting).toBeGreaterThan(10 * MIB);
  expect(left).toBeLessThan(4 * MIB);
});
