import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import type { Scenario } from "../../testing/notice.ts";
import { observedRun, registerProvider } from "../../testing/observed-run.ts";
import { asks, says } from "../../testing/scripted-model.ts";
import { messages, ONE, outcomeOf, tool } from "../../testing/tool-runs.ts";

const working: Scenario = {
  name: "a tool that works",
  exchanges: [ONE, says("Two.")],
  app: async (client) => {
    const add = tool("add", async ({ n }) => ({ sum: n + 1 }));
    return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
  },
};

const failing: Scenario = {
  name: "a tool that throws",
  exchanges: [ONE],
  app: async (client) => {
    const add = tool("add", () => {
      throw new RangeError("too big");
    });
    return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
  },
};

beforeAll(registerProvider);

describe("the span of a tool that runTools calls", () => {
  it("says with what a tool was called and what it gave, or how it failed", async () => {
    const attributes = async (scenario: Scenario) => {
      const spans = await observedRun(OpenAI, scenario);
      const [span] = spans.filter(({ name }) => name.startsWith("execute_tool"));
      return { ...span?.attributes, status: span?.status, events: span?.events };
    };
    expect(await attributes(working)).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "add",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "call_11111111",
      "gen_ai.tool.call.arguments": '{"n":1}',
      "gen_ai.tool.call.result": '{"sum":2}',
      status: { code: 0 },
      events: [],
    });
    expect(await attributes(failing)).toMatchObject({
      "error.type": "RangeError",
      "gen_ai.tool.call.arguments": '{"n":1}',
      status: { code: 2, message: "too big" },
      events: [
        {
          name: "exception",
          attributes: {
            "exception.type": "RangeError",
            "exception.message": "too big",
            "exception.stacktrace": expect.stringContaining("told-tools.test.ts"),
          },
        },
      ],
    });
  });

  it("tells of a tool without content what it was, and masks what looks like a key", async () => {
    const key = `sk-proj-${"a1B2".repeat(12)}`;
    const leaky: Scenario = {
      name: "",
      exchanges: [asks(["call_11111111", "add", JSON.stringify({ key })])],
      app: async (client) => {
        const add = tool("add", () => {
          throw new Error(`no ${key}`);
        });
        return outcomeOf(client.chat.completions.runTools({ model: "m", messages, tools: [add] }));
      },
    };
    const toolOf = async (scenario: Scenario) => {
      const spans = await observedRun(OpenAI, scenario);
      const found = spans.find(({ name }) => name.startsWith("execute_tool"));
      const { attributes, status, events } = found ?? {};
      return JSON.stringify({ attributes, status, events });
    };
    const shown = await toolOf(leaky);
    expect(shown).toContain(String.raw`"{\"key\":\"[redacted: api_key]\"}"`);
    const hidden = await toolOf({ ...leaky, content: false });
    expect(hidden).toContain('"gen_ai.tool.name":"add"');
    expect(hidden).not.toContain("gen_ai.tool.call.arguments");
    expect(hidden).not.toContain(key);
  });
});
