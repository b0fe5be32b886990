import { trace } from "@opentelemetry/api";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createSessionInference } from "@thoughtflow/workflow";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { says } from "../testing/scripted-model.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";

beforeAll(() => new NodeTracerProvider().register());

/** What a backend would show of a span. */
function shown({ name, attributes, links }: ReadableSpan) {
  const { "session.id": session, "gen_ai.response.id": response } = attributes;
  return {
    name,
    session,
    response,
    output: attributes["gen_ai.output.messages"],
    links: links.map(({ attributes: told }) => told?.["thoughtflow.link.type"]),
  };
}

/**
 * Two turns of a conversation whose answers come in the tick of their requests, so that nothing of ours runs in between.
 *
 * @param onEnd looks at each span as it ends
 */
async function twoTurns(onEnd: (span: ReadableSpan) => void): Promise<readonly ReadableSpan[]> {
  const ended: ReadableSpan[] = [];
  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd: (span) => {
      ended.push(span);
      onEnd(span);
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const unpatch = instrumentOpenAI(OpenAI, {
    tracerProvider: new NodeTracerProvider({ spanProcessors: [processor] }),
    sessionInference: createSessionInference({ defaultSessionId: "s" }),
    captureContentOnSpans: true,
    derivedRuns: false,
  });
  const { response } = says("Sunny.");
  const openai = new OpenAI({
    apiKey: "k",
    fetch: async () =>
      new Response(response.body, { headers: { "content-type": "application/json" } }),
  });
  await trace.getTracer("app").startActiveSpan("app", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Weather?" }];
    const first = await openai.chat.completions.create({ model: "m", messages });
    messages.push(first.choices[0]?.message ?? { role: "assistant" });
    messages.push({ role: "user", content: "And tomorrow?" });
    await openai.chat.completions.create({ model: "m", messages });
  });
  unpatch();
  return ended;
}

const told = {
  name: "chat m",
  session: "s",
  response: "chatcmpl",
  output: expect.stringContaining("Sunny."),
  links: [] as string[],
};
const continuing = { ...told, links: ["continues"] };

describe("the span of a call that is answered in the tick of its request", () => {
  test("is whole for whoever looks at it as it ends, in any order", async () => {
    const seen: unknown[] = [];
    await twoTurns((span) => seen.push(shown(span)));
    expect(seen).toEqual([told, continuing]);
    const links: unknown[] = [];
    await twoTurns(({ links: all, attributes }) =>
      links.push([all.length, attributes["session.id"]]),
    );
    expect(links).toEqual([
      [0, "s"],
      [1, "s"],
    ]);
  });

  test("is whole for whoever looks at it later", async () => {
    const ended = await twoTurns(() => {});
    expect(ended.map(shown)).toEqual([told, continuing]);
  });

  test("is the SDK's own, with plain properties, once it was looked at", async () => {
    const [span] = await twoTurns(() => {});
    const { attributes, links } = span ?? {};
    for (const [name, value] of Object.entries({ attributes, links })) {
      expect(Object.getOwnPropertyDescriptor(span, name)).toEqual({
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    expect(Object.keys(attributes ?? {})).toContain("gen_ai.response.id");
  });

  test("keeps what a processor puts in the place of its attributes", async () => {
    const ended = await twoTurns((span) => {
      Object.assign(span, { attributes: { replaced: true } });
    });
    expect(ended.map(({ attributes }) => attributes)).toEqual([
      { replaced: true },
      { replaced: true },
    ]);
  });

  test("stays as it is where a copy that inherits from it is changed", async () => {
    const copies: ReadableSpan[] = [];
    const ended = await twoTurns((span) => {
      const copy: { attributes?: object; links?: object } = Object.create(span);
      copy.attributes = { redacted: true };
      copy.links = [];
      copies.push(copy as ReadableSpan);
    });
    expect(copies.map(({ attributes, links }) => [attributes, links])).toEqual([
      [{ redacted: true }, []],
      [{ redacted: true }, []],
    ]);
    expect(ended.map(shown)).toEqual([told, continuing]);
  });

  test.each(["freeze", "seal", "preventExtensions"] as const)(
    "is whole where a processor did %s it",
    async (close) => {
      const ended = await twoTurns(Object[close]);
      expect(ended.map(shown)).toEqual([told, continuing]);
      expect(ended.map(shown)).toEqual([told, continuing]);
    },
  );
});
