import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { proxyLog } from "./proxy-log.ts";

const PROMPT = "Find every caller of the parser and list them.";

function exchange(second: number, messages: readonly object[], content: readonly object[]) {
  return JSON.stringify({
    request: {
      timestamp: 1_772_359_200 + second,
      url: "https://api.anthropic.com/v1/messages",
      body: { model: "claude-opus-4-5", max_tokens: 100, messages, tools: [{ name: "Agent" }] },
    },
    response: {
      timestamp: 1_772_359_201 + second,
      status_code: 200,
      body: {
        id: `msg_${second}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-4-5",
        content,
        stop_reason: "end_turn",
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
  });
}

const text = (words: string) => ({ type: "text", text: words });
const user = (...content: readonly object[]) => ({ role: "user", content });
const assistant = (...content: readonly object[]) => ({ role: "assistant", content });
const gave = (content: string) => ({ type: "tool_result", tool_use_id: "toolu_1", content });

test("a sub-agent that is given all that the agent was told which asked for it stands below that one's call", async () => {
  const call = {
    type: "tool_use",
    id: "toolu_1",
    name: "Agent",
    input: { subagent_type: "fork", prompt: PROMPT },
  };
  const begun = [user(text("Look at the parser.")), assistant(call)];
  const fork = [
    ...begun,
    user(gave("Fork started"), text(`You are a fork.\n\nYour directive: ${PROMPT}`)),
  ];
  const log = [
    exchange(0, begun.slice(0, 1), [call]),
    exchange(2, fork, [text("There are three.")]),
    exchange(
      4,
      [...fork, assistant(text("There are three.")), user(text("Are you sure?"))],
      [text("I am.")],
    ),
    exchange(6, [...begun, user(gave("There are three."))], [text("Three callers.")]),
  ];
  const { records } = await recordsOfText(proxyLog, `${log.join("\n")}\n`);
  const [session] = assemble(records);
  expect(
    session?.agents?.map(({ name, parent_agent_id: parent, origin, totals }) => [
      name,
      session.agents?.findIndex(({ agent_id: id }) => id === parent),
      origin,
      totals?.model_calls,
    ]),
  ).toEqual([
    ["agent", -1, undefined, 2],
    ["fork", 0, "inferred", 2],
  ]);
});
