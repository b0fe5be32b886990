import type { HrTime } from "@opentelemetry/api";
import OpenAI from "openai";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { observedRun, registerProvider } from "../../testing/observed-run.ts";
import { asks, says } from "../../testing/scripted-model.ts";

beforeAll(registerProvider);
afterEach(() => void vi.restoreAllMocks());

const nanoseconds = ([seconds, rest]: HrTime): bigint =>
  BigInt(seconds) * 1_000_000_000n + BigInt(rest);

test.each([
  ["behind when the loop began", -70, 0],
  ["set back while the loop went on", 0, -70],
])("a loop ends after all that it did, also by a clock that was %s", async (_, before, after) => {
  const now = Date.now;
  let off = before;
  vi.spyOn(Date, "now").mockImplementation(() => now() + off);
  const spans = await observedRun(OpenAI, {
    name: "",
    exchanges: [asks(["call_11111111", "add", "{}"]), says("Two.")],
    app: async (client) => {
      off = before;
      const runner = client.chat.completions.runTools({
        model: "m",
        messages: [{ role: "user", content: "Add." }],
        tools: [
          {
            type: "function",
            function: {
              name: "add",
              description: "adds",
              parameters: { type: "object" },
              function: () => {
                off = after;
                return "2";
              },
            },
          },
        ],
      });
      return await runner.finalContent();
    },
  });
  const [root, ...others] = spans.map(({ endTime }) => nanoseconds(endTime));
  expect(others).toHaveLength(3);
  for (const end of others) expect(root).toBeGreaterThanOrEqual(end);
});
