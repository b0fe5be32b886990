import OpenAI from "openai";
import { DecisionsToolRunner } from "openai/helpers/decisions-tool-runner";
import { ResponsesToolRunner } from "openai/helpers/responses-tool-runner";
import { afterEach, expect, test, vi } from "vitest";
import { beforeFirstCall } from "./first-call.ts";

const { Completions } = OpenAI.Chat;
const untouched = Object.getOwnPropertyDescriptor(Completions.prototype, "create");
const seen: string[] = [];

/** Stands for the instrumentation that is put in place. */
function instrument(): void {
  const { create } = Completions.prototype;
  Completions.prototype.create = function (this: unknown, ...parameters: unknown[]) {
    seen.push("instrumented call");
    return Reflect.apply(create, this, parameters);
  } as typeof create;
}

const client = new OpenAI({
  apiKey: "none",
  fetch: async () => Response.json({ choices: [] }),
});
const body = { model: "m", messages: [] };

afterEach(() => {
  seen.length = 0;
  Object.defineProperty(Completions.prototype, "create", untouched ?? {});
});

test("the first call is instrumented already, once, and then nothing of ours is left", async () => {
  const prepare = vi.fn(instrument);
  beforeFirstCall(OpenAI, prepare);
  const { create } = client.chat.completions;
  await client.chat.completions.create(body);
  expect(seen).toEqual(["instrumented call"]);
  // A method that was taken off before is instrumented too.
  await create.call(client.chat.completions, body);
  expect(seen).toEqual(["instrumented call", "instrumented call"]);
  expect(prepare).toHaveBeenCalledTimes(1);
  expect(client.responses.create.name).toBe("create");
  expect(Object.hasOwn(OpenAI.Responses.prototype, "create")).toBe(true);
});

test.each<(one: OpenAI) => Promise<unknown>>([
  (one) => one.images.generate({ model: "m", prompt: "x" }),
  (one) => one.responses.retrieve("resp_1"),
  (one) => one.beta.agents.sessions.create({ environment: { type: "none" } as never }),
  (one) => one.get("/anything"),
  (one) =>
    one.chat.completions
      .runTools({ ...body, tools: [] })
      .done()
      .catch(() => {}),
])("the first call may be any: %o", async (call) => {
  const prepare = vi.fn();
  beforeFirstCall(OpenAI, prepare);
  await call(client);
  await call(client);
  expect(prepare).toHaveBeenCalledTimes(1);
});

test("a runner's first call may be the first", async () => {
  for (const Runner of [ResponsesToolRunner, DecisionsToolRunner]) {
    const prepare = vi.fn();
    const own = Object.getOwnPropertyDescriptors(Runner.prototype);
    beforeFirstCall(Runner, prepare);
    const runner = new Runner({} as never);
    await runner.run(client, { model: "m", input: "x" }).catch(() => {});
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(Object.getOwnPropertyDescriptors(Runner.prototype)).toEqual(own);
  }
});

test("a socket's first event is a call, too", () => {
  class Base {
    send(): string {
      return "sent";
    }
  }
  class Socket extends Base {}
  const prepare = vi.fn();
  beforeFirstCall(Socket, prepare);
  const socket = new Socket();
  expect([socket.send(), socket.send()]).toEqual(["sent", "sent"]);
  expect(prepare).toHaveBeenCalledTimes(1);
});

test("taken back, it leaves the class as it was", () => {
  const prepare = vi.fn();
  const release = beforeFirstCall(OpenAI, prepare);
  expect(Object.getOwnPropertyDescriptor(Completions.prototype, "create")).not.toEqual(untouched);
  release();
  expect(Object.getOwnPropertyDescriptor(Completions.prototype, "create")).toEqual(untouched);
  expect(prepare).not.toHaveBeenCalled();
});

test("a wrapper that somebody else put around it meanwhile runs once and stays", async () => {
  beforeFirstCall(OpenAI, () => {});
  const trapped = Completions.prototype.create;
  const wrapper = vi.fn(function (this: unknown, ...parameters: unknown[]) {
    return Reflect.apply(trapped, this, parameters);
  });
  Completions.prototype.create = wrapper as unknown as typeof trapped;
  const answer = await client.chat.completions.create(body);
  expect(answer.choices).toEqual([]);
  expect(wrapper).toHaveBeenCalledTimes(1);
  expect(Completions.prototype.create).toBe(wrapper);
});

test.each([undefined, null, {}, () => {}, class {}])("%o is left alone", (openai) => {
  expect(() => beforeFirstCall(openai, () => {})()).not.toThrow();
});

test("a class that the app has frozen since then is left as it is, and its calls are the SDK's own", () => {
  class Completions {
    create(): string {
      return "answered";
    }
  }
  const Client = Object.assign(class {}, { Completions });
  const prepare = vi.fn();
  const release = beforeFirstCall(Client, prepare);
  Object.freeze(Completions.prototype);
  expect([new Completions().create(), new Completions().create()]).toEqual([
    "answered",
    "answered",
  ]);
  expect(prepare).toHaveBeenCalledTimes(1);
  release();
});
