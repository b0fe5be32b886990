import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endOpenRuns } from "./derived-runs.ts";
import { endpointOf } from "./endpoint-of.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { instrumentOpenAI } from "./instrument-openai.ts";
import type { Unpatch } from "./replace-method.ts";
import { requestCounts } from "./request-counts.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let unpatch: Unpatch;

beforeAll(() => {
  provider.register();
  unpatch = instrumentOpenAI(OpenAI, { tracerProvider: provider });
});
afterAll(() => unpatch());
afterEach(() => {
  endOpenRuns();
  exporter.reset();
});

/** Every request that an installed openai can make, read from its sources: `["POST", "/files"]`. */
function requestsOf(version: string): (readonly [method: string, path: string])[] {
  const root = join(
    realpathSync(fileURLToPath(new URL(`../node_modules/${version}`, import.meta.url))),
    "resources",
  );
  const call =
    /_client\s*\.(get|post|put|patch|delete|getAPIList)\(\s*(?:\(0, path_1\.path\)\s*)?[`'"]([^`'"]+)[`'"]/g;
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => [...readFileSync(join(root, name), "utf8").matchAll(call)])
    .map(([, method = "", path = ""]) => [
      method === "getAPIList" ? "get" : method,
      path.replace(/\$\{[^}]*\}/g, "id_1"),
    ]);
}

const file = () => new File(["x"], "x.png", { type: "image/png" });

/** A call of every method of the table. */
const CALLS: Readonly<Record<string, (client: OpenAI) => Promise<unknown>>> = {
  "chat.completions.create": (c) => c.chat.completions.create({ model: "m", messages: [] }),
  "responses.create": (c) => c.responses.create({ model: "m", input: "x" }),
  "beta.responses.create": (c) => c.beta.responses.create({ model: "m", input: "x" }),
  "responses.compact": (c) => c.responses.compact({ model: "m", input: "x" }),
  "beta.responses.compact": (c) => c.beta.responses.compact({ model: "m", input: "x" }),
  "responses.retrieve": (c) => c.responses.retrieve("resp_1"),
  "beta.responses.retrieve": (c) => c.beta.responses.retrieve("resp_1"),
  "responses.cancel": (c) => c.responses.cancel("resp_1"),
  "beta.responses.cancel": (c) => c.beta.responses.cancel("resp_1"),
  "completions.create": (c) => c.completions.create({ model: "m", prompt: "x" }),
  "decisions.create": (c) => c.decisions.create({ model: "m", input: "x", questions: [] }),
  "embeddings.create": (c) => c.embeddings.create({ model: "m", input: "x" }),
  "moderations.create": (c) => c.moderations.create({ model: "m", input: "x" }),
  "images.generate": (c) => c.images.generate({ model: "m", prompt: "x" }),
  "images.edit": (c) => c.images.edit({ model: "m", prompt: "x", image: file() }),
  "images.createVariation": (c) => c.images.createVariation({ model: "m", image: file() }),
  "audio.speech.create": (c) => c.audio.speech.create({ model: "m", input: "x", voice: "ash" }),
  "audio.transcriptions.create": (c) => c.audio.transcriptions.create({ model: "m", file: file() }),
  "audio.translations.create": (c) => c.audio.translations.create({ model: "m", file: file() }),
  "videos.create": (c) => c.videos.create({ model: "m", prompt: "x" }),
  "videos.edit": (c) => c.videos.edit({ prompt: "x", video: { id: "video_1" } }),
  "videos.extend": (c) => c.videos.extend({ prompt: "x", seconds: "4", video: { id: "video_1" } }),
  "videos.remix": (c) => c.videos.remix("video_1", { prompt: "x" }),
  "vectorStores.search": (c) => c.vectorStores.search("vs_1", { query: "x" }),
  "conversations.create": (c) => c.conversations.create({ items: [] }),
  "conversations.items.create": (c) => c.conversations.items.create("conv_1", { items: [] }),
  "beta.agents.create": (c) => c.beta.agents.create({ model: "m" }),
  "beta.assistants.create": (c) => c.beta.assistants.create({ model: "m" }),
  "beta.agents.sessions.create": (c) =>
    c.beta.agents.sessions.create({ environment: { type: "none" } as never, agent_id: "agent_1" }),
  "beta.agents.sessions.events.create": (c) =>
    c.beta.agents.sessions.events.create("sess_1", { events: [] }),
  "beta.agents.sessions.events.stream": async (c) => {
    for await (const _ of await c.beta.agents.sessions.events.stream("sess_1"));
  },
  "beta.threads.createAndRun": (c) => c.beta.threads.createAndRun({ assistant_id: "asst_1" }),
  "beta.threads.runs.create": (c) =>
    c.beta.threads.runs.create("thread_1", { assistant_id: "asst_1" }),
  "beta.threads.runs.submitToolOutputs": (c) =>
    c.beta.threads.runs.submitToolOutputs("run_1", { thread_id: "thread_1", tool_outputs: [] }),
  "beta.threads.runs.retrieve": (c) =>
    c.beta.threads.runs.retrieve("run_1", { thread_id: "thread_1" }),
  "beta.threads.runs.cancel": (c) => c.beta.threads.runs.cancel("run_1", { thread_id: "thread_1" }),
};

/** The sockets have a test of their own. */
const METHODS = ENDPOINTS.filter(
  ({ call, route }) => call !== undefined && !route.startsWith("WS "),
);

describe("the table of endpoints", () => {
  it.each(["openai", "openai-74", "openai-6", "openai-5", "openai-4"])(
    "knows every request that %s can make",
    (version) => {
      const requests = requestsOf(version);
      expect(requests.length).toBeGreaterThan(90);
      const known = new Set(ENDPOINTS.map(({ route }) => route));
      const unknown = requests.filter(
        ([method, path]) => !known.has(endpointOf(method, path).route),
      );
      expect(unknown).toEqual([]);
    },
  );

  it("names only methods that this test calls", () => {
    expect(METHODS.map(({ call }) => call)).toEqual(Object.keys(CALLS));
  });

  it.each(METHODS)(
    "$call leaves one span of its operation",
    async ({ call = "", dialect, route }) => {
      const isStream = call.endsWith(".stream");
      const exchange = toExchange(
        "/",
        isStream ? "data: {}\n\n" : { id: "x", status: "completed" },
      );
      await using server = await createReplayServer([exchange]);
      const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
      await CALLS[call]?.(client);
      const [span, ...more] = exporter
        .getFinishedSpans()
        .filter(({ attributes }) => attributes["thoughtflow.origin"] !== "derived");
      expect(more).toEqual([]);
      expect(span?.attributes["gen_ai.operation.name"]).toBe(dialect?.operation);
      expect(server.requests.map(({ method, path }) => endpointOf(method, path).route)).toEqual([
        route,
      ]);
    },
  );
});

describe("openai of other majors", () => {
  /** Ids stood in another order then. */
  const OF_4: typeof CALLS = {
    "beta.threads.runs.submitToolOutputs": (c) =>
      c.beta.threads.runs.submitToolOutputs(
        "thread_1",
        "run_1" as never,
        { tool_outputs: [] } as never,
      ),
    "beta.threads.runs.retrieve": (c) => c.beta.threads.runs.retrieve("thread_1", "run_1" as never),
    "beta.threads.runs.cancel": (c) => c.beta.threads.runs.cancel("thread_1", "run_1" as never),
  };

  it.each([
    ["openai-74", 31],
    ["openai-6", 31],
    ["openai-5", 22],
    ["openai-4", 20],
  ])("leave the same: %s has %i methods of the table", async (name, count) => {
    const Older: typeof OpenAI = (await import(name)).default;
    const release = instrumentOpenAI(Older, { tracerProvider: provider });
    const calls = { ...CALLS, ...(name === "openai-4" && OF_4) };
    const left: unknown[] = [];
    const expected: unknown[] = [];
    for (const { call = "", dialect } of METHODS) {
      const isStream = call.endsWith(".stream");
      const exchange = toExchange(
        "/",
        isStream ? "data: {}\n\n" : { id: "x", status: "completed" },
      );
      await using server = await createReplayServer([exchange]);
      const client = new Older({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
      const names = call.split(".");
      const method = names.reduce<unknown>(
        (at, key) => (at as Record<string, unknown> | undefined)?.[key],
        client,
      );
      if (typeof method !== "function") continue;
      exporter.reset();
      await calls[call]?.(client);
      const spans = exporter.getFinishedSpans().filter(({ kind }) => kind === 2);
      left.push([call, ...spans.map(({ attributes }) => attributes["gen_ai.operation.name"])]);
      expected.push([call, dialect?.operation]);
    }
    release();
    expect(left).toEqual(expected);
    expect(left).toHaveLength(count);
  });
});

describe("a search", () => {
  it("that fails is an error once, for the app and on its span", async () => {
    const rejections: unknown[] = [];
    const onRejection = (error: unknown) => rejections.push(error);
    process.on("unhandledRejection", onRejection);
    const exchange = toExchange(
      "/",
      { error: { message: "no store", code: "none" } },
      { status: 404 },
    );
    await using server = await createReplayServer([exchange, exchange]);
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
    await expect(client.vectorStores.search("vs_1", { query: "x" })).rejects.toThrow("no store");
    const message = await client.vectorStores.search("vs_1", { query: "x" }).catch(String);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onRejection);
    expect({ message, rejections }).toEqual({ message: "Error: 404 no store", rejections: [] });
    expect(exporter.getFinishedSpans().map(({ attributes }) => attributes)).toMatchObject(
      [1, 2].map(() => ({
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "vs_1",
        "error.type": "none",
        "http.response.status_code": 404,
      })),
    );
  });
});

describe("a request that is no model call", () => {
  it("gives no span and is counted by its row of the table", async () => {
    const list = { object: "list", data: [] };
    const exchanges = [1, 2, 3, 4].map(() => toExchange("/", list));
    await using server = await createReplayServer(exchanges);
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1` });
    const before = requestCounts()["* /batches/*"] ?? 0;
    await client.batches.retrieve("batch_1");
    await client.batches.list();
    await client.responses.inputTokens.count({ model: "m", input: "x" });
    await client.chat.completions.list();
    expect(exporter.getFinishedSpans()).toEqual([]);
    expect(requestCounts()).toMatchObject({
      "* /batches/*": before + 2,
      "POST /responses/input_tokens": 1,
      "GET /chat/completions/*": 1,
    });
  });

  it("of an unknown endpoint gives one generic span, named without ids, with status and count", async () => {
    const exchanges = [
      toExchange("/", { ok: true }),
      toExchange("/", { error: { message: "gone", code: "gone" } }, { status: 410 }),
    ];
    await using server = await createReplayServer(exchanges);
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
    await client.post("/dreams/dream_12/interpretations?deep=1", { body: { text: "secret" } });
    await expect(client.get("/dreams/dream_13")).rejects.toThrow("gone");
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name, kind, status }) => [name, kind, status.code])).toEqual([
      ["POST /dreams/{id}/interpretations", 2, 0],
      ["GET /dreams/{id}", 2, 2],
    ]);
    expect(spans.map(({ attributes }) => attributes)).toMatchObject([
      { "http.response.status_code": 200, "url.template": "/dreams/{id}/interpretations" },
      { "http.response.status_code": 410, "error.type": "gone", "http.request.method": "GET" },
    ]);
    expect(JSON.stringify(spans[0]?.attributes)).not.toContain("secret");
    expect(requestCounts()).toMatchObject({ "POST /dreams/{id}/interpretations": 1 });
  });

  it("by path alone is the model call that its path says", async () => {
    const completion = { id: "c", model: "m-1", choices: [], usage: { prompt_tokens: 3 } };
    await using server = await createReplayServer([toExchange("/", completion)]);
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1` });
    const body = { model: "m", messages: [{ role: "user", content: "hi" }] };
    await client.post("/chat/completions", { body });
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": 3,
    });
  });
});
