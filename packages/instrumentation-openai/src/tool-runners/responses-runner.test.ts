import { setTimeout as sleep } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import OpenAI from "openai";
import {
  type ResponsesRunnerOptions,
  type ResponsesRunnerTools,
  ResponsesToolRunner,
  runnerFunction,
} from "openai/helpers/responses-tool-runner";
import { zodResponsesFunction } from "openai/helpers/zod";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, type Scenario } from "../../testing/notice.ts";
import { observedRun, registerProvider } from "../../testing/observed-run.ts";
import { responds, streamedResponse } from "../../testing/scripted-model.ts";
import { spanTree } from "../../testing/span-tree.ts";
import { instrumentOpenAI } from "../instrument-openai.ts";

interface LoopScenario extends Scenario {
  readonly spans: readonly string[];
}

type Execute = NonNullable<ResponsesRunnerTools["functions"]>[number]["execute"];

const declaration = {
  type: "function" as const,
  name: "add",
  description: "adds one",
  parameters: { type: "object" },
  strict: false,
};

const add = (execute: Execute, more: object = {}) =>
  Object.freeze({ tool: Object.freeze({ ...declaration }), execute, ...more });

const params = { model: "m", input: "Add." };

const run = async (
  client: OpenAI,
  tools: ResponsesRunnerTools,
  options?: ResponsesRunnerOptions,
) => {
  const runner = new ResponsesToolRunner(Object.freeze(tools));
  const response = await failure(runner.run(client, params, options));
  return [response, runner.close()];
};

const ONE = responds(["call_11111111", "add", '{"n":1}']);
const TWO = responds(["call_11111111", "add", '{"n":1}'], ["call_22222222", "add", '{"n":2}']);
const DONE = responds("Done.");
const LOOP = [
  "invoke_agent",
  "  chat m #1",
  "  execute_tool add · requests → chat m #1",
  "  chat m #2 · reads → execute_tool add_out · continues → chat m #1 (link)",
];
const TWICE = [
  "invoke_agent",
  "  chat m #1",
  "  execute_tool add #1 · requests → chat m #1",
  "  execute_tool add #2 · requests → chat m #1",
  "  chat m #2 · reads → execute_tool add #1_out · reads → execute_tool add #2_out · continues → chat m #1 (link)",
];

const scenarios: readonly LoopScenario[] = [
  {
    name: "a tool that works, in its span's context",
    exchanges: [ONE, DONE],
    app: (client) =>
      run(client, {
        functions: [
          add(async ({ n }) => {
            await sleep(1);
            trace.getTracer("app").startSpan("inside").end();
            return `${Number(n) + 1}`;
          }),
        ],
      }),
    spans: [...LOOP.slice(0, 3), "    inside", ...LOOP.slice(3)],
  },
  {
    name: "a tool that throws",
    exchanges: [ONE],
    app: (client) =>
      run(client, {
        functions: [
          add(() => {
            throw new RangeError("too big");
          }),
        ],
      }),
    spans: [
      "invoke_agent · ResponsesToolRunnerError",
      "  chat m",
      "  execute_tool add · RangeError · requests → chat m",
    ],
  },
  {
    name: "an abort in the middle of a tool",
    exchanges: [ONE],
    app: (client) => {
      const controller = new AbortController();
      const { signal } = controller;
      const execute: Execute = async () => {
        const stopped = sleep(10_000, "", { signal });
        controller.abort();
        return stopped;
      };
      return run(client, { functions: [add(execute)] }, { signal });
    },
    spans: [
      "invoke_agent · ResponsesToolRunnerError",
      "  chat m",
      "  execute_tool add · cancelled · requests → chat m",
    ],
  },
  {
    name: "a streaming runner",
    exchanges: [streamedResponse(TWO), streamedResponse(DONE)],
    app: async (client) => {
      const events: unknown[] = [];
      const onEvent = (event: { readonly type: string }) => void events.push(event.type);
      const functions = [add(({ n }) => `${Number(n) + 1}`)];
      return [await run(client, { functions }, { stream: true, onEvent }), events];
    },
    spans: TWICE,
  },
  {
    name: "an eager runner, whose tools begin before the answer has ended",
    exchanges: [streamedResponse(TWO), streamedResponse(DONE)],
    app: (client) =>
      run(
        client,
        { functions: [add(async ({ n }) => `${Number(n) + 1}`)] },
        { stream: true, eager: true },
      ),
    spans: TWICE,
  },
  {
    name: "a concurrent runner, whose tools run side by side",
    exchanges: [streamedResponse(TWO), streamedResponse(DONE)],
    app: async (client) => {
      const order: string[] = [];
      let endFirst = (): void => {};
      const second = new Promise<void>((resolve) => {
        endFirst = resolve;
      });
      const execute: Execute = async ({ n }) => {
        order.push(`begin ${n}`);
        if (n === 1) await second;
        else setImmediate(endFirst);
        order.push(`end ${n}`);
        return `${Number(n) + 1}`;
      };
      const functions = [add(execute, { independent: true })];
      return [await run(client, { functions }, { stream: true, eager: true }), order];
    },
    spans: TWICE,
  },
  {
    name: "the iterator, a turn at a time, one answer given by the app",
    exchanges: [TWO, DONE],
    app: async (client) => {
      const functions = [add(({ n }) => `${Number(n) + 1}`, { allowOutputOverride: true })];
      const runner = new ResponsesToolRunner({ functions });
      const turns = runner.iterate(client, params);
      const seen: unknown[] = [Object.keys(turns), Object.prototype.toString.call(turns)];
      for await (const turn of turns) {
        seen.push(turn.response, turn.final);
        if (turn.final) continue;
        turn.supplyOutputs([
          { type: "function_call_output", call_id: "call_22222222", output: "three" },
        ]);
      }
      return seen;
    },
    spans: [
      "invoke_agent",
      "  chat m #1",
      "  execute_tool add · requests → chat m #1",
      "  chat m #2 · reads → execute_tool add_out · reads → chat m #1.t2_out (no link) · continues → chat m #1 (link)",
    ],
  },
  {
    name: "the iterator, left after the first turn",
    exchanges: [ONE],
    app: async (client) => {
      const runner = new ResponsesToolRunner({ functions: [add(() => "2")] });
      const seen: unknown[] = [];
      for await (const { response } of runner.iterate(client, params)) {
        seen.push(response);
        break;
      }
      return [seen, runner.close()];
    },
    spans: ["invoke_agent", "  chat m"],
  },
  {
    name: "the iterator, whose failure nobody handles",
    exchanges: [ONE],
    app: async (client) => {
      const runner = new ResponsesToolRunner({
        functions: [
          add(() => {
            throw new Error("no");
          }),
        ],
      });
      const turns = runner.iterate(client, params);
      await turns.next();
      void turns.next();
      await sleep(20);
      return [];
    },
    spans: [
      "invoke_agent · ResponsesToolRunnerError",
      "  chat m",
      "  execute_tool add · Error · requests → chat m",
    ],
  },
  {
    name: "a tool made by zodResponsesFunction that asks a model itself",
    exchanges: [ONE, responds("One more."), DONE],
    app: (client) => {
      const typed = zodResponsesFunction({
        name: "add",
        parameters: z.object({ n: z.number() }),
        function: async () => {
          const { output_text } = await client.responses.create({ model: "sub", input: "?" });
          return output_text;
        },
      });
      return run(client, { functions: [runnerFunction(typed as never)] });
    },
    spans: [...LOOP.slice(0, 3), "    chat sub", ...LOOP.slice(3)],
  },
  {
    name: "a call id that comes twice, which the SDK refuses",
    exchanges: [responds(["call_11111111", "add", "{}"], ["call_11111111", "add", "{}"])],
    app: (client) => run(client, { functions: [add(() => "2")] }),
    spans: ["invoke_agent · ResponsesToolRunnerError", "  chat m"],
  },
  {
    name: "a tool that the model made up, which the SDK refuses",
    exchanges: [responds(["call_11111111", "subtract", "{}"])],
    app: (client) => run(client, { functions: [add(() => "2")] }),
    spans: ["invoke_agent · ResponsesToolRunnerError", "  chat m"],
  },
];

beforeAll(registerProvider);

describe("ResponsesToolRunner", () => {
  it.each(scenarios)("$name", async (scenario) => {
    const spans = await observedRun(OpenAI, scenario, ResponsesToolRunner);
    expect(spanTree(spans)).toEqual(scenario.spans);
  });

  it("says with what a tool was called and what it gave", async () => {
    const [working] = scenarios as [LoopScenario];
    const spans = await observedRun(OpenAI, working, ResponsesToolRunner);
    expect(spans.find(({ name }) => name === "execute_tool add")?.attributes).toMatchObject({
      "gen_ai.tool.call.id": "call_11111111",
      "gen_ai.tool.call.arguments": '{"n":1}',
      "gen_ai.tool.call.result": '"2"',
    });
  });

  it("is the SDK's own again when nobody observes any more", () => {
    const { prototype } = ResponsesToolRunner;
    const own = Object.getOwnPropertyDescriptors(prototype);
    const unpatch = instrumentOpenAI(ResponsesToolRunner);
    expect(prototype.iterate).not.toBe(own.iterate.value);
    unpatch();
    expect(Object.getOwnPropertyDescriptors(prototype)).toEqual(own);
  });
});
