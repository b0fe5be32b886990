import { context, propagation, trace } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { degradations } from "./degradation.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import { OpenAIInstrumentation } from "./openai-instrumentation.ts";

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
const { create } = OpenAI.Chat.Completions.prototype;

const answer = toExchange("/v1/chat/completions", {
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hi" } }],
});

async function ask(params: unknown = { model: "m", messages: [] }): Promise<unknown> {
  await using server = await createReplayServer([answer]);
  const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
  return await client.chat.completions.create(
    params as OpenAI.ChatCompletionCreateParamsNonStreaming,
  );
}

/** Every property of a class, of its prototypes and of the classes on it, by path, in their order. */
function propertiesOf(
  start: object,
  path = "",
  seen = new Set<object>(),
): Map<string, PropertyDescriptor> {
  const found = new Map<string, PropertyDescriptor>();
  if (seen.has(start) || start === Object.prototype || start === Function.prototype) return found;
  seen.add(start);
  for (const key of Reflect.ownKeys(start)) {
    const descriptor = Object.getOwnPropertyDescriptor(start, key) as PropertyDescriptor;
    const at = `${path}.${String(key)}`;
    found.set(at, descriptor);
    if (typeof descriptor.value === "function" || key === "prototype") {
      for (const entry of propertiesOf(descriptor.value, at, seen)) found.set(...entry);
    }
  }
  const parent: object | null = Object.getPrototypeOf(start);
  if (parent !== null) {
    for (const entry of propertiesOf(parent, `${path}^`, seen)) found.set(...entry);
  }
  return found;
}

const names = (): string[] => exporter.getFinishedSpans().map(({ name }) => name);

afterEach(() => {
  exporter.reset();
  vi.restoreAllMocks();
});

describe("an openai of unknown shape", () => {
  it("stays untouched, is counted, and is warned about once", () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const odd: unknown[] = [undefined, null, 1, "openai", {}, () => {}, { OpenAI: class {} }];
    const frozen = {
      Chat: {
        Completions: class {
          create(): void {}
        },
      },
    };
    Object.freeze(frozen.Chat.Completions.prototype);
    for (const target of [...odd, frozen]) instrumentOpenAI(target, { tracerProvider })();
    expect(warn.mock.calls).toEqual([
      [expect.any(String), { type: "ThoughtFlowWarning", code: "THOUGHTFLOW_OPENAI_SHAPE" }],
    ]);
    expect(degradations()).toMatchObject({ THOUGHTFLOW_OPENAI_SHAPE: 8 });
  });

  it("returns its own answer where that is no promise of the SDK", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    class Completions {
      create(): Promise<string> {
        return promise;
      }
    }
    const promise = Promise.resolve("mine");
    instrumentOpenAI({ chat: { completions: new Completions() } }, { tracerProvider });
    expect(new Completions().create()).toBe(promise);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(names()).toEqual(["chat", "invoke_agent"]);
  });
});

describe("an openai of unknown version", () => {
  it("is observed by what is recognised, with one warning", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    class Later extends OpenAI {}
    Object.assign(Later.prototype, { getUserAgent: () => "OpenAI/JS 8.1.0-beta.2" });
    const unpatch = instrumentOpenAI(Later, { tracerProvider });
    await using server = await createReplayServer([answer, answer]);
    const client = new Later({ apiKey: "k", baseURL: `${server.url}/v1` });
    for (let call = 0; call < 2; call++) {
      await client.chat.completions.create({ model: "m", messages: [] });
    }
    unpatch();
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining("openai 8.1.0-beta.2"),
        { type: "ThoughtFlowWarning", code: "THOUGHTFLOW_OPENAI_VERSION" },
      ],
    ]);
    expect(names()).toHaveLength(4);
  });
});

describe("odd parameters", () => {
  it("reach the SDK as they are, and never fail the call because of us", async () => {
    const unpatch = instrumentOpenAI(OpenAI, { tracerProvider, captureContentOnSpans: true });
    const circular: Record<string, unknown> = { role: "user" };
    circular["content"] = [{ type: "text", text: "x", self: 1n }];
    const throwing = Object.defineProperty({ model: "m" }, "messages", {
      enumerable: true,
      get: () => {
        throw new RangeError("mine");
      },
    });
    const outcomes: unknown[] = [];
    for (const params of [{ model: 1, messages: "x" }, { messages: [circular] }, throwing, 7]) {
      const bare = await (async () => {
        unpatch();
        return await ask(params).then(String, (error: Error) => error.message);
      })();
      const again = instrumentOpenAI(OpenAI, { tracerProvider, captureContentOnSpans: true });
      const observed = await ask(params).then(String, (error: Error) => error.message);
      again();
      outcomes.push([observed, bare]);
    }
    for (const [observed, bare] of outcomes as [unknown, unknown][]) expect(observed).toBe(bare);
  });
});

describe("the instrumentation", () => {
  it("observes once however often it is asked to, and gives the SDK its methods back", async () => {
    const first = instrumentOpenAI(OpenAI, { tracerProvider });
    const second = instrumentOpenAI(OpenAI, { tracerProvider });
    await ask();
    expect(names()).toEqual(["chat m", "invoke_agent"]);
    second();
    first();
    expect(OpenAI.Chat.Completions.prototype.create).toBe(create);
  });

  it("gives every class of the SDK back as it was, property by property", async () => {
    const before = propertiesOf(OpenAI);
    const unpatch = instrumentOpenAI(OpenAI, { tracerProvider });
    const changed = [...propertiesOf(OpenAI)].filter(
      ([at, { value }]) => !Object.is(value, before.get(at)?.value),
    );
    expect(changed.length).toBeGreaterThan(40);
    unpatch();
    expect(propertiesOf(OpenAI)).toEqual(before);
    for (const [at, { value }] of propertiesOf(OpenAI)) expect(before.get(at)?.value).toBe(value);
  });

  it("follows enable, disable, a new provider and new options", async () => {
    const instrumentation = new OpenAIInstrumentation({ derivedRuns: false });
    instrumentation.instrument(OpenAI);
    expect(OpenAI.Chat.Completions.prototype.create).toBe(create);
    instrumentation.setTracerProvider(tracerProvider);
    instrumentation.enable();
    await ask();
    expect(names()).toEqual(["chat m"]);
    instrumentation.setConfig({ ...instrumentation.getConfig(), derivedRuns: true });
    await ask();
    expect(names()).toEqual(["chat m", "chat m", "invoke_agent"]);
    instrumentation.disable();
    expect(OpenAI.Chat.Completions.prototype.create).toBe(create);
    await ask();
    expect(names()).toHaveLength(3);
  });

  it("does nothing while no provider is registered, and passes a client's class on to its clones", async () => {
    const unpatch = instrumentOpenAI(OpenAI, {});
    await ask();
    unpatch();
    const client = new OpenAI({ apiKey: "k" });
    const again = instrumentOpenAI(client, { tracerProvider });
    await using server = await createReplayServer([answer]);
    const clone = client.withOptions({ baseURL: `${server.url}/v1` });
    await clone.chat.completions.create({ model: "m", messages: [] });
    again();
    expect(names()).toEqual(["chat m", "invoke_agent"]);
  });
});

describe("an app in a setting of its own", () => {
  it("keeps the mock that it put in the SDK's place, calls and all", async () => {
    const mocked = vi
      .spyOn(OpenAI.Chat.Completions.prototype, "create")
      .mockResolvedValue("mine" as never);
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const unpatch = instrumentOpenAI(OpenAI, { tracerProvider });
    const observed = vi.mocked(OpenAI.Chat.Completions.prototype.create);
    const client = new OpenAI({ apiKey: "k" });
    expect(await client.chat.completions.create({ model: "m", messages: [] })).toBe("mine");
    expect(observed.mock.calls).toEqual([[{ model: "m", messages: [] }]]);
    unpatch();
    expect(OpenAI.Chat.Completions.prototype.create).toBe(mocked);
  });

  it("has its frozen parts left alone, with one warning, and the others observed", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const frozen = class extends OpenAI {};
    Object.defineProperty(frozen, "Embeddings", {
      value: class {
        create(): void {}
      },
    });
    Object.freeze(frozen.Embeddings.prototype);
    for (let time = 0; time < 2; time++) instrumentOpenAI(frozen, { tracerProvider })();
    const unpatch = instrumentOpenAI(frozen, { tracerProvider });
    await ask();
    unpatch();
    expect(names()).toEqual(["chat m", "invoke_agent"]);
    expect(warn.mock.calls.map(([, options]) => options)).toEqual([
      { type: "ThoughtFlowWarning", code: "THOUGHTFLOW_OPENAI_FROZEN" },
    ]);
  });

  it("may freeze what is observed, and then ask for that no more", () => {
    class Completions {
      create(): string {
        return "mine";
      }
    }
    const unpatch = instrumentOpenAI({ completions: new Completions() }, { tracerProvider });
    Object.freeze(Completions.prototype);
    expect(unpatch).not.toThrow();
    expect(new Completions().create()).toBe("mine");
    expect(names()).toEqual([]);
  });

  it("may fake its timers", async () => {
    const unpatch = instrumentOpenAI(OpenAI, { tracerProvider });
    vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate", "setInterval", "Date"] });
    const fetch = async () => Response.json(JSON.parse(answer.response.body));
    const client = new OpenAI({ apiKey: "k", fetch, timeout: 1_000 });
    await client.chat.completions.create({ model: "m", messages: [] });
    vi.useRealTimers();
    unpatch();
    expect(names()).toEqual(["chat m", "invoke_agent"]);
  });

  it("gets its answers and no spans where it drops or suppresses them", async () => {
    const dropping = new NodeTracerProvider({
      sampler: new AlwaysOffSampler(),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const unpatch = instrumentOpenAI(OpenAI, { tracerProvider: dropping });
    const dropped = await ask();
    unpatch();
    const again = instrumentOpenAI(OpenAI, { tracerProvider });
    tracerProvider.register();
    const suppressed = await context.with(suppressTracing(context.active()), () => ask());
    again();
    trace.disable();
    context.disable();
    propagation.disable();
    expect([dropped, suppressed]).toEqual(Array(2).fill(JSON.parse(answer.response.body)));
    expect(names()).toEqual([]);
  });

  it("may hold two copies of openai, each observed and given back on its own", async () => {
    const other: { OpenAI: typeof OpenAI } = await import("openai-6" as string);
    const theirs = other.OpenAI.Chat.Completions.prototype.create;
    const unpatch = [OpenAI, other.OpenAI].map((sdk) => instrumentOpenAI(sdk, { tracerProvider }));
    await using server = await createReplayServer([answer, answer]);
    for (const Client of [OpenAI, other.OpenAI]) {
      const client = new Client({ apiKey: "k", baseURL: `${server.url}/v1` });
      await client.chat.completions.create({ model: "m", messages: [] });
    }
    for (const undo of unpatch) undo();
    expect(names().filter((name) => name === "chat m")).toHaveLength(2);
    expect([create, theirs]).toEqual([
      OpenAI.Chat.Completions.prototype.create,
      other.OpenAI.Chat.Completions.prototype.create,
    ]);
  });
});
