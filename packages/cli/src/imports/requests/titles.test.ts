import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";

const NOTE = "<environment_context>\n<cwd>/project</cwd>\n</environment_context>\n";

test.each(REQUEST_LOGS)(
  "%s: a session, and a run, is called after what was typed, not after the notes before it",
  async (_, format, lineOf) => {
    const said = [`${NOTE}Is it raining in Rome?`];
    const request = { from: 0, to: 1, system: "main", said, answer: { text: "No." } };
    const { records } = await recordsOfText(format, `${JSON.stringify(lineOf(request, 0))}\n`);
    const sessions = assemble(records);
    expect(sessions.map(({ title }) => title)).toEqual(["Is it raining in Rome?"]);
    // So is each run.
    expect(sessions.flatMap(({ conversations }) => conversations.map(({ name }) => name))).toEqual([
      "Is it raining in Rome?",
    ]);
  },
);

test("a session is not called after the program's note that somebody stopped it", async () => {
  const exchange = (content: readonly object[]) => ({
    request: {
      timestamp: 1_790_000_000,
      method: "POST",
      url: "https://api.anthropic.com/v1/messages",
      headers: {},
      body: {
        ...{ model: "claude-opus-5-5", max_tokens: 100, system: "You are Claude Code." },
        ...{ tools: [{ name: "Bash", input_schema: {} }], messages: [{ role: "user", content }] },
      },
    },
    response: {
      ...{ timestamp: 1_790_000_001, status_code: 200, headers: {} },
      body: {
        ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5-5" },
        ...{ content: [{ type: "text", text: "Yes." }], stop_reason: "end_turn" },
      },
    },
  });
  const [note, typed] = ["[Request interrupted by user for tool use]", "Look again."].map(
    (text) => ({ type: "text", text }),
  );
  const titleOf = async (content: readonly object[]) => {
    const { records } = await recordsOfText(proxyLog, `${JSON.stringify(exchange(content))}\n`);
    return assemble(records)[0]?.title;
  };
  expect(await titleOf([note ?? {}, typed ?? {}])).toBe("Look again.");
});
