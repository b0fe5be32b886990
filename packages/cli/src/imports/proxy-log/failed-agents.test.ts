import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { proxyLog } from "./proxy-log.ts";

interface Asked {
  readonly messages: readonly object[];
  readonly answer: readonly object[] | string;
  readonly agent?: string;
}

let count = 0;

/** An exchange of Claude Code; one that fails is answered with the id of the request. */
function exchange({ messages, answer, agent }: Asked): string {
  const timestamp = 1_770_000_000 + ++count;
  const failed = typeof answer === "string";
  const error = { type: "rate_limit_error", message: "Later." };
  return JSON.stringify({
    request: {
      timestamp,
      url: "https://api.anthropic.com/v1/messages",
      headers: { ...(agent !== undefined && { "x-claude-code-agent-id": agent }) },
      body: {
        ...{ model: "m", max_tokens: 32_000, messages },
        tools: [{ name: "Agent", input_schema: { type: "object" } }],
        metadata: { user_id: JSON.stringify({ session_id: "s" }) },
      },
    },
    response: {
      timestamp: timestamp + 0.5,
      status_code: failed ? 429 : 200,
      body: failed
        ? { type: "error", error, request_id: answer }
        : { id: `msg_${count}`, type: "message", role: "assistant", content: answer },
    },
  });
}

const said = (content: unknown) => ({ role: "user", content });
const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const gave = (id: string, content: string, more: object = {}) => ({
  ...{ type: "tool_result", tool_use_id: id, content },
  ...more,
});

test("agents that failed with one prompt are told apart by the requests that their results name", async () => {
  const prompt = "Count the apples.";
  const asked = [use("t1", "Agent", { prompt }), use("t2", "Agent", { prompt })];
  const failed = (id: string, request: string) =>
    gave(
      id,
      `Agent terminated early due to an API error: Later. (error type rate_limit, HTTP 429, request id ${request}, model sent to the API: m)`,
      { is_error: true },
    );
  const look = [use("t3", "Read", { path: "a" })];
  const [one, two] = ["a1f0000000000001", "a2f0000000000002"];
  const text = [
    exchange({ messages: [said("Count.")], answer: asked }),
    // One fails at once, the other one after its first answer.
    exchange({ agent: two, messages: [said(prompt)], answer: "req_011CQtwo000000000002" }),
    exchange({ agent: one, messages: [said(prompt)], answer: look }),
    exchange({
      agent: one,
      messages: [
        said(prompt),
        { role: "assistant", content: look },
        said([gave("t3", "An apple.")]),
      ],
      answer: "req_011CQone000000000001",
    }),
    exchange({
      messages: [
        said("Count."),
        { role: "assistant", content: asked },
        said([failed("t1", "req_011CQone000000000001"), failed("t2", "req_011CQtwo000000000002")]),
      ],
      answer: [{ type: "text", text: "Nobody counted." }],
    }),
  ].join("\n");
  const [session] = assemble((await recordsOfText(proxyLog, text)).records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const callOf = (step: string | undefined) =>
    steps.find(({ step_id }) => step?.endsWith(`/${step_id}`))?.payload_started?.["call_id"];
  const spawned = session?.agents?.filter(({ parent_agent_id: parent }) => parent !== undefined);
  expect(
    spawned?.map(({ spawned_by, origin, totals }) => [
      callOf(spawned_by),
      origin,
      totals?.model_calls,
    ]),
  ).toEqual([
    ["t2", "observed", 1],
    ["t1", "observed", 2],
  ]);
});
