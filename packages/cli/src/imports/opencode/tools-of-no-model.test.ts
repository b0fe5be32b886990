import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { opencode } from "./opencode.ts";

const BEGUN = 1_795_472_100_000;
const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

function message(n: number, role: "user" | "assistant", parts: readonly object[], more = {}) {
  const time = { created: BEGUN + n * 1_000, completed: BEGUN + n * 1_000 + 500 };
  return { info: { id: `msg_${n}`, role, time, ...more }, parts };
}

const said = (n: number, text: string, more = {}) =>
  message(n, "user", [{ type: "text", text, ...more }]);

const answered = (n: number, text: string) =>
  message(
    n,
    "assistant",
    [
      { type: "step-start" },
      { type: "text", text },
      { type: "step-finish", reason: "stop", tokens: { ...NO_TOKENS, input: 100 + n, output: 9 } },
    ],
    { modelID: "m1", providerID: "p" },
  );

/** In an answer's place, as versions 1.x of opencode write what a person or a command had run. */
const ran = (n: number, tool: string, callID: string, state: object) =>
  message(
    n,
    "assistant",
    [{ type: "tool", tool, callID, state: { status: "completed", ...state } }],
    {
      modelID: "m1",
      providerID: "p",
      tokens: NO_TOKENS,
      cost: 0,
    },
  );

function exported(id: string, messages: readonly object[], parentID?: string) {
  const time = { created: BEGUN, updated: BEGUN };
  return sourceText(JSON.stringify({ info: { id, time, parentID }, messages }), `${id}.json`);
}

async function sessionOf(...files: ReturnType<typeof exported>[]): Promise<Session> {
  const { records } = await recordsOf(opencode, files);
  const [session, ...others] = assemble(records);
  if (session === undefined) throw new Error("no session");
  expect([checkSession(session), others]).toEqual([[], []]);
  return session;
}

const told = ({ conversations }: Session) =>
  conversations.map(({ steps }) => steps.map(({ label }) => label));

test("a command that a person ran is no call of the model: the next call is told of it, once", async () => {
  const session = await sessionOf(
    exported("ses_1", [
      said(1, "Hello."),
      answered(2, "Hello!"),
      said(3, "The following tool was executed by the user", { synthetic: true }),
      ran(4, "bash", "c1", {
        input: { command: "pwd" },
        output: "/project\n",
        time: { start: 1, end: 2 },
      }),
      said(5, "Where are we?"),
      answered(6, "In /project."),
    ]),
  );
  expect(session.totals).toMatchObject({ model_calls: 2, tool_calls: 1, input_tokens: 208 });
  const [, second = []] = told(session);
  expect(second.filter((label) => label.startsWith("tool"))).toEqual(["tool_call", "tool_output"]);
});

test("a command that nothing was said after is a note", async () => {
  const session = await sessionOf(
    exported("ses_1", [
      said(1, "Hello."),
      answered(2, "Hello!"),
      ran(3, "bash", "c1", { input: { command: "pwd" }, output: "/project\n" }),
    ]),
  );
  expect(session.totals).toMatchObject({ model_calls: 1, tool_calls: 0 });
  const [{ payload_started: note } = {}] = session.conversations.flatMap(({ steps }) =>
    steps.filter(({ label }) => label === "generic"),
  );
  expect(JSON.stringify(note)).toContain("/project");
});

test("a sub-agent that a command asked for is that of its task, which no call of the model asked for", async () => {
  const session = await sessionOf(
    exported("ses_1", [
      message(1, "user", [{ type: "subtask", prompt: "Look around.", agent: "general" }]),
      ran(2, "task", "c1", {
        input: { prompt: "Look around.", description: "look", subagent_type: "general" },
        output: "Nothing here.",
        metadata: { sessionId: "ses_2" },
        time: { start: BEGUN + 2_000, end: BEGUN + 3_000 },
      }),
      said(4, "Summarize the task tool output above and continue with your task.", {
        synthetic: true,
      }),
      answered(5, "There is nothing."),
    ]),
    exported("ses_2", [said(2, "Look around."), answered(3, "Nothing here.")], "ses_1"),
  );
  expect(session.totals).toMatchObject({ model_calls: 2, tool_calls: 1 });
  expect(
    session.agents?.map(({ name, origin, spawned_by }) => [name, origin, spawned_by !== undefined]),
  ).toEqual([
    ["opencode", undefined, false],
    ["general", "observed", true],
  ]);
});
