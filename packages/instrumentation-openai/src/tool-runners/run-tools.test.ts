import { setTimeout as sleep } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import { recordThoughtFrom } from "@thoughtflow/tracing/internal";
import OpenAI from "openai";
import { zodFunction } from "openai/helpers/zod";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Scenario } from "../../testing/notice.ts";
import { observedRun, registerProvider } from "../../testing/observed-run.ts";
import { asks, says, streamed } from "../../testing/scripted-model.ts";
import { spanTree } from "../../testing/span-tree.ts";
import {
  type Args,
  type Messages,
  messages,
  ONE,
  outcomeOf,
  tool,
} from "../../testing/tool-runs.ts";
import { instrumentOpenAI } from "../instrument-openai.ts";

interface LoopScenario extends Scenario {
  readonly spans: readonly string[];
}

const TWO = asks(["call_11111111", "add", '{"n":1}'], ["call_22222222", "add", '{"n":2}']);
const LOOP = [
  "invoke_agent",
  "  chat m #1",
  "  execute_tool add · requests → chat m #1",
  "  chat m #2 · reads → execute_tool add_out · continues → chat m #1 (link)",
];

const LOOP_OF_TWO = [
  "invoke_agent",
  "  chat m #1",
  "  execute_tool add #1 · requests → chat m #1",
  "  execute_tool add #2 · requests → chat m #1",
  "  chat m #2 · reads → execute_tool add #1_out · reads → execute_tool add #2_out · continues → chat m #1 (link)",
];

const scenarios: readonly LoopScenario[] = [
  {
    name: "a tool that works, in its span's context",
    exchanges: [ONE, says("Two.")],
    app: async (client) => {
      const add = tool("add", async ({ n }) => {
        await sleep(1);
        trace.getTracer("app").startSpan("inside").end();
        return { sum: n + 1 };
      });
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [...LOOP.slice(0, 3), "    inside", ...LOOP.slice(3)],
  },
  {
    name: "a tool that throws at once",
    exchanges: [ONE],
    app: async (client) => {
      const add = tool("add", () => {
        throw new RangeError("too big");
      });
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [
      "invoke_agent · RangeError",
      "  chat m",
      "  execute_tool add · RangeError · requests → chat m",
    ],
  },
  {
    name: "a tool that rejects, and nobody listens",
    exchanges: [ONE],
    app: async (client) => {
      const add = tool("add", async () => {
        await sleep(1);
        throw new Error("no");
      });
      const runner = client.chat.completions.runTools({ model: "m", messages, tools: [add] });
      await new Promise((resolve) => runner.on("end", () => resolve(undefined)));
      return runner.messages;
    },
    spans: ["invoke_agent · _OTHER", "  chat m", "  execute_tool add · Error · requests → chat m"],
  },
  {
    name: "an abort in the middle of a tool",
    exchanges: [ONE],
    app: async (client) => {
      const add = tool("add", async (_, runner) => {
        const { controller } = runner as { controller: AbortController };
        const stopped = sleep(10_000, undefined, { signal: controller.signal });
        controller.abort();
        return stopped;
      });
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [
      "invoke_agent · aborted",
      "  chat m",
      "  execute_tool add · cancelled · requests → chat m",
    ],
  },
  {
    name: "tools side by side",
    exchanges: [TWO, says("Five.")],
    app: async (client) => {
      const order: unknown[] = [];
      let endOther = (): void => {};
      const other = new Promise<void>((resolve) => {
        endOther = resolve;
      });
      const add = tool("add", async ({ n }) => {
        order.push(`begin ${n}`);
        await (n === 1 ? other : sleep(1));
        order.push(`end ${n}`);
        endOther();
        return n + 1;
      });
      const runner = client.chat.completions.runTools({ model: "m", messages, tools: [add] });
      return [await outcomeOf(runner), order];
    },
    spans: LOOP_OF_TWO,
  },
  {
    name: "a streaming runner",
    exchanges: [streamed(ONE), streamed(says("Two."))],
    app: async (client) => {
      const add = tool("add", async ({ n }) => n + 1);
      const runner = client.chat.completions.runTools({
        model: "m",
        messages,
        tools: [add],
        stream: true,
      });
      const chunks: unknown[] = [];
      for await (const chunk of runner) chunks.push(chunk);
      return [chunks, await runner.finalContent(), runner.messages];
    },
    spans: LOOP,
  },
  {
    name: "a tool that asks a model itself",
    exchanges: [ONE, says("One more."), says("Two.")],
    app: async (client) => {
      const add = tool("add", async () => {
        const ask: Messages = [{ role: "user", content: "What is one and one?" }];
        const { choices } = await client.chat.completions.create({ model: "sub", messages: ask });
        return choices[0]?.message.content;
      });
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [...LOOP.slice(0, 3), "    chat sub", ...LOOP.slice(3)],
  },
  {
    name: "a tool that is a loop itself",
    exchanges: [ONE, asks(["call_33333333", "one", "{}"]), says("One more."), says("Two.")],
    app: async (client) => {
      const one = tool("one", () => 1);
      const add = tool("add", () =>
        client.chat.completions
          .runTools({ model: "sub", messages: [{ role: "user", content: "?" }], tools: [one] })
          .finalContent(),
      );
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [
      ...LOOP.slice(0, 3),
      "    chat sub #1",
      "    execute_tool one · requests → chat sub #1",
      "    chat sub #2 · reads → execute_tool one_out · continues → chat sub #1 (link)",
      ...LOOP.slice(3),
    ],
  },
  {
    name: "two calls with the same id",
    exchanges: [
      asks(["0", "add", '{"n":1}'], ["0", "add", '{"n":2}']),
      asks(["0", "add", '{"n":3}']),
      says("9"),
    ],
    app: async (client) => {
      const add = tool("add", ({ n }) => n + 1);
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add #1 · requests → chat m #1",
      "  execute_tool add #2 · requests → chat m #1",
      "  chat m #2 · reads → execute_tool add #1_out · reads → execute_tool add #2_out · continues → chat m #1 (link)",
      "  execute_tool add #3 · requests → chat m #2",
      "  chat m #3 · reads → execute_tool add #3_out · continues → chat m #2 (link)",
    ],
  },
  {
    name: "a tool that the model made up, and arguments that are none",
    exchanges: [
      asks(["call_11111111", "subtract", "{}"], ["call_22222222", "add", "{n"]),
      says("Sorry."),
    ],
    app: async (client) => {
      const add = tool("add", ({ n }) => n + 1);
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [
      "invoke_agent",
      "  chat m #1",
      expect.stringMatching(
        /^ {2}chat m #2 · reads → chat m #1\.t1_out \(no link\) · reads → chat m #1\.t2_out \(no link\) · continues → chat m #1 \(link\)$/,
      ),
    ],
  },
  {
    name: "tools made by zodFunction",
    exchanges: [TWO, says("Five.")],
    app: async (client) => {
      const seen: unknown[] = [];
      const add = zodFunction({
        name: "add",
        parameters: z.object({ n: z.number() }),
        function(this: unknown, { n }: Args) {
          const self = this as Record<string, unknown>;
          seen.push(Object.keys(self), self["name"], (self["function"] as { name: string }).name);
          return n + 1;
        },
      });
      const runner = client.chat.completions.runTools({ model: "m", messages, tools: [add] });
      return [await outcomeOf(runner), seen];
    },
    spans: LOOP_OF_TWO,
  },
  {
    name: "frozen tools that two runs share, instances with private fields, one at a time",
    exchanges: [TWO, says("Five."), ONE, says("Two.")],
    app: async (client) => {
      const seen: unknown[] = [];
      class Adder {
        readonly #step = 1;
        readonly type = "function";
        get function() {
          const { step } = this;
          return {
            parameters: {},
            description: "",
            parse: async (text: string) => JSON.parse(text),
            function: async function add({ n }: Args) {
              return n + step;
            },
          };
        }
        get step(): number {
          return this.#step;
        }
      }
      const shared: readonly { readonly function: unknown }[] = Object.freeze([
        tool("spare", function (this: unknown) {
          return this === shared[0]?.function;
        }),
        Object.freeze(new Adder()),
      ]);
      const ask = { model: "m", messages, tools: shared as never, parallel_tool_calls: false };
      seen.push(await outcomeOf(client.chat.completions.runTools(ask)));
      seen.push(await outcomeOf(client.chat.completions.runTools(ask)));
      return [seen, shared.map(Object.isFrozen), Object.keys(ask)];
    },
    spans: [
      "invoke_agent #1",
      "  chat m #1",
      "  execute_tool add #1 · requests → chat m #1",
      "  execute_tool add #2 · requests → chat m #1",
      "  chat m #2 · reads → execute_tool add #1_out · reads → execute_tool add #2_out · continues → chat m #1 (link)",
      "invoke_agent #2",
      "  chat m #3",
      "  execute_tool add #3 · requests → chat m #3",
      "  chat m #4 · reads → execute_tool add #3_out · continues → chat m #3 (link)",
    ],
  },
  {
    name: "tools that answer with a thenable of their own kind",
    exchanges: [ONE, says("inner"), says("Two.")],
    app: async (client) => {
      const add = tool("add", () =>
        client.chat.completions.create({
          model: "sub",
          messages: [{ role: "user", content: "?" }],
        }),
      );
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
    },
    spans: [...LOOP.slice(0, 3), "    chat sub", ...LOOP.slice(3)],
  },
  {
    name: "a span of the app around the loop",
    exchanges: [ONE, says("Two.")],
    app: async (client) =>
      trace.getTracer("app").startActiveSpan("request", async (span) => {
        const add = tool("add", ({ n }) => n + 1);
        const runner = client.chat.completions.runTools({ model: "m", messages, tools: [add] });
        const outcome = await outcomeOf(runner);
        span.end();
        return outcome;
      }),
    spans: ["request", ...LOOP.slice(1)],
  },
  {
    name: "a thought that a model gave, which is a step of its own",
    exchanges: [asks(["call_11111111", "think_aloud", '{"n":1}']), says("Two.")],
    app: async (client) => {
      const think = tool("think_aloud", ({ n }) => {
        recordThoughtFrom({ thought: `${n} and 1` }, { source: "tool-call" });
        return "noted";
      });
      return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [think] }));
    },
    spans: [
      "invoke_agent",
      "  chat m #1",
      "  thought · requests → chat m #1",
      // A thought is named by its own id, by which the tree knows no span.
      "  chat m #2 · reads → thought-1 (no link) · reads → thought (link) · continues → chat m #1 (link)",
    ],
  },
];

beforeAll(registerProvider);

describe("runTools", () => {
  it.each(scenarios)("$name", async (scenario) => {
    const spans = await observedRun(OpenAI, scenario);
    expect(spanTree(spans)).toEqual(scenario.spans);
  });

  it("is the SDK's own again when nobody observes any more", () => {
    const { prototype } = OpenAI.Chat.Completions;
    const { runTools } = prototype;
    const unpatch = instrumentOpenAI(OpenAI);
    expect(prototype.runTools).not.toBe(runTools);
    expect([prototype.runTools.name, prototype.runTools.length]).toEqual([
      runTools.name,
      runTools.length,
    ]);
    unpatch();
    expect(prototype.runTools).toBe(runTools);
  });
});
