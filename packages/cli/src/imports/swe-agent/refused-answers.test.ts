import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { sweAgent } from "./swe-agent.ts";

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});
const call = (id: string, args: string) => ({
  id,
  type: "function",
  function: { name: "bash", arguments: args },
});
const response = (n: number, message: object) => ({
  id: `chatcmpl-${n}`,
  object: "chat.completion",
  created: 1_772_359_200 + n,
  model: "of-our-own",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
  usage: usage(100, n),
});

/** What mini-swe-agent keeps of an answer that it could not act on: with its word to the model, and nowhere else. */
const refused = (n: number, message: object) => ({
  role: "user",
  content: "Every response MUST include at least one tool call.",
  extra: { interrupt_type: "FormatError", cost: 0.25, response: response(n, message) },
});

test("an answer that mini-swe-agent could not act on is a call, with its tokens and its cost", async () => {
  const asked = { content: null, tool_calls: [call("c9", '{"command":"ls"}')] };
  const { records } = await recordsOfText(
    sweAgent,
    JSON.stringify({
      info: {
        model_stats: { instance_cost: 1, api_calls: 4 },
        exit_status: "Submitted",
        submission: "",
        mini_version: "2.4.6",
      },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Mend it." },
        refused(1, { content: "I would look first." }),
        refused(2, { content: null, tool_calls: [call("c2", "{not json")] }),
        // Where nothing but its text could be kept.
        {
          ...refused(3, {}),
          extra: { interrupt_type: "FormatError", cost: 0.25, response: "ModelResponse(…)" },
        },
        { ...asked, role: "assistant", extra: { cost: 0.25, response: response(4, asked) } },
        { role: "tool", tool_call_id: "c9", content: "a.py", extra: { returncode: 0 } },
      ],
      trajectory_format: "mini-swe-agent-1.1",
    }),
  );
  const [session] = assemble(records);
  expect(session?.totals).toMatchObject({
    runs: 1,
    model_calls: 4,
    tool_calls: 2,
    errors: 1,
    input_tokens: 300,
    output_tokens: 7,
    cost: { total: "1" },
  });
  expect(session?.status).toBe("completed");
});
