import { trace } from "@opentelemetry/api";
import type { Exchange } from "@thoughtflow/testkit";
import { toExchange } from "@thoughtflow/testkit";
import OpenAI from "openai";
import { DecisionsToolRunner } from "openai/helpers/decisions-tool-runner";
import { beforeAll, describe, expect, it } from "vitest";
import { failure, type Scenario } from "../../testing/notice.ts";
import { observedRun, registerProvider } from "../../testing/observed-run.ts";
import { spanTree } from "../../testing/span-tree.ts";
import { instrumentOpenAI } from "../instrument-openai.ts";

const decides = (choice: string): Exchange =>
  toExchange("/v1/decisions", {
    id: "dec",
    model: "m",
    answers: [{ name: "next_action", type: "choice", choice, confidence: 0.9, probabilities: [] }],
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  });

const params = { model: "m", input: "Open the door." };

/** An app with a door, and two candidates; `open` does what the scenario says. */
const door =
  (open: () => void | Promise<void>) =>
  async (client: OpenAI): Promise<unknown> => {
    const candidates = Object.freeze([
      Object.freeze({ id: "open", description: "open the door", execute: open }),
      Object.freeze({ id: "stop", description: "it is open", done: true as const }),
    ]);
    const runner = new DecisionsToolRunner({
      observe: () => "a door",
      candidates: () => [...candidates],
    });
    return [await failure(runner.run(client, params)), candidates.map(Object.isFrozen)];
  };

const works: Scenario = {
  name: "a candidate that works",
  exchanges: [decides("open"), decides("stop")],
  app: door(async () => trace.getTracer("app").startSpan("inside").end()),
};
const throws: Scenario = {
  name: "a candidate that throws",
  exchanges: [decides("open")],
  app: door(() => {
    throw new RangeError("locked");
  }),
};

beforeAll(registerProvider);

describe("DecisionsToolRunner", () => {
  it("runs what was chosen in its span's context", async () => {
    const spans = await observedRun(OpenAI, works, DecisionsToolRunner);
    expect(spanTree(spans)).toEqual([
      "invoke_agent",
      "  generate_content m #1",
      "  execute_tool open · requests → generate_content m #1",
      "    inside",
      "  generate_content m #2",
    ]);
  });

  it("fails with what was chosen", async () => {
    const spans = await observedRun(OpenAI, throws, DecisionsToolRunner);
    expect(spanTree(spans)).toEqual([
      "invoke_agent · DecisionsToolRunnerError",
      "  generate_content m",
      "  execute_tool open · RangeError · requests → generate_content m",
    ]);
  });

  it("is the SDK's own again when nobody observes any more", () => {
    const own = Object.getOwnPropertyDescriptors(DecisionsToolRunner);
    const unpatch = instrumentOpenAI(DecisionsToolRunner);
    expect(Object.getOwnPropertyDescriptors(DecisionsToolRunner)).not.toEqual(own);
    unpatch();
    expect(Object.getOwnPropertyDescriptors(DecisionsToolRunner)).toEqual(own);
  });
});
