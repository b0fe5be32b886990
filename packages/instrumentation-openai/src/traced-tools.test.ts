import { trace } from "@opentelemetry/api";
import { traceTool, traceTools, withSession, withToolCall } from "@thoughtflow/tracing";
import { recordThoughtFrom } from "@thoughtflow/tracing/internal";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import type { Scenario } from "../testing/notice.ts";
import { observedRun, registerProvider } from "../testing/observed-run.ts";
import { asks, responds, says } from "../testing/scripted-model.ts";
import { spanTree } from "../testing/span-tree.ts";

type Messages = OpenAI.ChatCompletionMessageParam[];
type FunctionCall = OpenAI.ChatCompletionMessageFunctionToolCall;
type Execute = (call: FunctionCall) => unknown;

const addsOne = ({ n }: { readonly n: number }): number => n + 1;

/** The loop that everybody writes: until the model wants no tool any more. */
async function loop(client: OpenAI, execute: Execute, question = "Add."): Promise<unknown> {
  const messages: Messages = [{ role: "user", content: question }];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: "m", messages });
    const message = choices[0]?.message;
    if (message === undefined) return messages;
    messages.push(message);
    if (message.tool_calls === undefined) return messages;
    const outputs = await Promise.all(
      (message.tool_calls as FunctionCall[]).map(async (call) => ({
        role: "tool" as const,
        tool_call_id: call.id,
        content: String(await execute(call)),
      })),
    );
    messages.push(...outputs);
  }
}

const argsOf = (call: FunctionCall) => JSON.parse(call.function.arguments);
const treeOf = async (scenario: Omit<Scenario, "name">): Promise<readonly string[]> => {
  // Observed, the app would find the spans' provider in both runs.
  return spanTree(await observedRun(OpenAI, { name: "", ...scenario }));
};

const TWO = asks(["call_11111111", "add", '{"n":1}'], ["call_22222222", "add", '{"n":2}']);

beforeAll(registerProvider);

describe("a traced tool of a plain loop", () => {
  it("is found by its name and arguments, side by side", async () => {
    const tools = traceTools({ add: async (args: { readonly n: number }) => addsOne(args) });
    expect(
      await treeOf({
        exchanges: [TWO, says("Five.")],
        app: (client) => loop(client, (call) => tools.add(argsOf(call))),
      }),
    ).toEqual([
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add #1 · requests inferred → chat m #1",
      "  execute_tool add #2 · requests inferred → chat m #1",
      "  chat m #2 · reads → execute_tool add #1_out · reads → execute_tool add #2_out · continues → chat m #1 (link)",
    ]);
  });

  it("is no tool call where the model thinks aloud: the thought is the step", async () => {
    const said = '{"thought":"First the sum.","thought_type":"planning"}';
    const tools = traceTools({
      think_aloud: (args: Readonly<Record<string, unknown>>) =>
        JSON.stringify(
          recordThoughtFrom({ thought: String(args["thought"]) }, { source: "tool-call" }).handle
            .id,
        ),
    });
    expect(
      await treeOf({
        exchanges: [asks(["call_11111111", "think_aloud", said]), says("Five.")],
        app: (client) => loop(client, (call) => tools.think_aloud(argsOf(call))),
      }),
    ).toEqual([
      "invoke_agent",
      "  chat m #1",
      "  thought · requests inferred → chat m #1",
      "  chat m #2 · reads → thought-1 (no link) · reads → thought (link) · continues → chat m #1 (link)",
    ]);
  });

  it("is known by the call's id where it gets the call itself", async () => {
    const add = traceTool("add", (call: FunctionCall) => addsOne(argsOf(call)));
    expect(
      await treeOf({
        exchanges: [TWO, says("Five.")],
        app: (client) => loop(client, (call) => add(call)),
      }),
    ).toEqual([
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add #1 · requests → chat m #1",
      "  execute_tool add #2 · requests → chat m #1",
      "  chat m #2 · reads → execute_tool add #1_out · reads → execute_tool add #2_out · continues → chat m #1 (link)",
    ]);
  });

  it("is found where it takes the arguments apart, if only one call can be meant", async () => {
    const add = traceTool("add", (n: number, step: number) => n + step);
    const tree = (exchanges: Scenario["exchanges"]) =>
      treeOf({ exchanges, app: (client) => loop(client, (call) => add(argsOf(call).n, 1)) });
    expect(await tree([asks(["call_33333333", "add", '{"n":1}']), says("Two.")])).toEqual([
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add · requests inferred → chat m #1",
      "  chat m #2 · reads → execute_tool add_out · continues → chat m #1 (link)",
    ]);
  });

  it("holds what the tool does: a model call in it is no part of the loop", async () => {
    const exchanges = [asks(["call_11111111", "add", '{"n":1}']), says("One more."), says("Two.")];
    expect(
      await treeOf({
        exchanges,
        async app(client) {
          const add = traceTool("add", async (_: { readonly n: number }) => {
            trace.getTracer("app").startSpan("inside").end();
            return loop(client, () => undefined, "What is one more?");
          });
          return loop(client, (call) => add(argsOf(call)));
        },
      }),
    ).toEqual([
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add · requests inferred → chat m #1",
      "    inside",
      "    chat m #2",
      "  chat m #3 · reads → execute_tool add_out · continues → chat m #1 (link)",
    ]);
  });

  it("keeps users apart by the spans around them, and claims no call where none tells", async () => {
    const exchanges = [
      asks(["call_44444444", "add", '{"n":1}']),
      asks(["call_55555555", "add", '{"n":1}']),
      says("Two."),
      says("Two."),
    ];
    const both = (around: (run: () => Promise<unknown>) => Promise<unknown>) =>
      treeOf({
        exchanges,
        async app(client) {
          let waiting = 2;
          let release = (): void => {};
          const all = new Promise<void>((resolve) => {
            release = resolve;
          });
          const add = traceTool("add", addsOne);
          const user = () =>
            loop(client, async (call) => {
              if (--waiting === 0) release();
              await all;
              return add(argsOf(call));
            });
          await Promise.all([around(user), around(user)]);
          return [];
        },
      });
    const inSpan = (run: () => Promise<unknown>) =>
      trace.getTracer("app").startActiveSpan("request", (span) => run().finally(() => span.end()));
    const apart = await both(inSpan);
    expect(apart.filter((line) => line.startsWith("  execute_tool"))).toEqual([
      "  execute_tool add #1 · requests inferred → chat m #1",
      "  execute_tool add #2 · requests inferred → chat m #2",
    ]);
    const together = await both((run) => run());
    expect(together.filter((line) => line.startsWith("  execute_tool"))).toEqual([
      "  execute_tool add #1",
      "  execute_tool add #2",
    ]);
  });

  it("says that it was tried again", async () => {
    let tries = 0;
    expect(
      await treeOf({
        exchanges: [asks(["call_66666666", "add", '{"n":1}']), says("Two.")],
        app: (client) =>
          loop(client, async (call) => {
            const execute = () =>
              withToolCall({ name: "add", callId: call.id, args: call.function.arguments }, () => {
                if (++tries % 2 === 1) throw new RangeError("busy");
                return 2;
              });
            try {
              return execute();
            } catch {
              return execute();
            }
          }),
      }),
    ).toEqual([
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add #1 · RangeError · requests → chat m #1",
      "  execute_tool add #2 · requests → chat m #1 · retry_of → execute_tool add #1",
      "  chat m #2 · reads → execute_tool add #2_out · continues → chat m #1 (link)",
    ]);
  });

  it("is itself but for its calls: name, length, properties, `this`, what it throws", async () => {
    function add(this: unknown, n: number, _step: number): unknown {
      if (n > 1) throw new RangeError("too big");
      return this;
    }
    const original = Object.assign(add, { schema: { type: "object" } });
    const tools = traceTools({ add: original, limit: 3 });
    expect([tools.add.name, tools.add.length, tools.add.schema, tools.limit]).toEqual([
      "add",
      2,
      original.schema,
      3,
    ]);
    expect(tools.add(1, 1)).toBe(tools);
    expect(() => tools.add(2, 1)).toThrow(new RangeError("too big"));
    expect(() => traceTools(new Map())).toThrow(
      'traceTools: "tools" must be a plain object, got {}',
    );
    expect(() => traceTool("", add)).toThrow(
      'traceTool: "name" must be a string that is not empty, got ""',
    );
  });
});

describe("a model call", () => {
  it("is linked to the response that it names, also in another trace", async () => {
    const exchanges = [responds("One."), responds("Two.")];
    expect(
      await treeOf({
        exchanges,
        async app(client) {
          const ask = { model: "m", input: "?" };
          const { id } = await client.responses.create(ask);
          const { output_text } = await client.responses.create({
            ...ask,
            previous_response_id: id,
          });
          return output_text;
        },
      }),
    ).toEqual([
      "invoke_agent #1",
      "  chat m #1",
      "invoke_agent #2",
      "  chat m #2 · continues → chat m #1",
    ]);
  });

  it("names a response of another session by the trace that it is in", async () => {
    const spans = await observedRun(OpenAI, {
      name: "",
      exchanges: [responds("One."), responds("Two.")],
      async app(client) {
        const ask = { model: "m", input: "?" };
        const first = await withSession({ id: "monday" }, () => client.responses.create(ask));
        const { output_text } = await withSession({ id: "tuesday" }, () =>
          client.responses.create({ ...ask, previous_response_id: first.id }),
        );
        return output_text;
      },
    });
    const [first, second] = spans.filter(({ name }) => name === "chat m");
    const { traceId, spanId } = first?.spanContext() ?? {};
    expect(second?.attributes).toMatchObject({
      "session.id": "tuesday",
      "thoughtflow.depends_on": [`${traceId}/s_${spanId}`],
      "thoughtflow.depends_on.types": ["continues"],
      "thoughtflow.depends_on.origins": ["observed"],
    });
    expect(second?.links.map(({ context }) => context.spanId)).toEqual([spanId]);
  });

  it("is linked to the failed one whose question it asks again", async () => {
    expect(
      await treeOf({
        exchanges: [says("Hi.")],
        server: { faults: { 0: { kind: "status", status: 400 } } },
        async app(client) {
          const messages: Messages = [{ role: "user", content: "Hello." }];
          const ask = () => client.chat.completions.create({ model: "m", messages });
          await ask().catch(() => {});
          return ask();
        },
      }),
    ).toEqual([
      "invoke_agent #1 · BadRequestError",
      "  chat m #1 · error · BadRequestError",
      "invoke_agent #2",
      "  chat m #2 · retry_of → chat m #1",
    ]);
  });
});
