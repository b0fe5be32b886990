import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { type ScriptedAnswer, scriptedAnswers } from "../../../testing/scripted-answers.ts";
import type { ImportFormat } from "../import-format.ts";
import { openaiLog } from "../openai-log/openai-log.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";
import { sourceFile } from "../source-file.ts";

interface Log {
  readonly sessions: readonly Session[];
  /** What the provider answered by its script, and which tool call asked for the agent that it answered. */
  readonly answers: readonly ScriptedAnswer[];
}

async function logOf(format: ImportFormat, folder: string, file: string): Promise<Log> {
  const dir = fileURLToPath(new URL(`../../../fixtures/${folder}/`, import.meta.url));
  const { records } = await recordsOf(format, [sourceFile(`${dir}${file}`, file)]);
  return { sessions: assemble(records), answers: scriptedAnswers(`${dir}provider.jsonl`) };
}

const claudeCode = await logOf(proxyLog, "proxy-log-scripted", "trace.jsonl");
const codex = await logOf(openaiLog, "codex-requests-scripted", "requests.jsonl");

const stepsOf = ({ conversations }: Session) => conversations.flatMap(({ steps }) => steps);

describe.each([
  ["Claude Code", claudeCode],
  ["Codex", codex],
])("requests of %s", (_, { sessions, answers }) => {
  test("every answer stands in its session once, with its tokens", () => {
    expect(sessions.flatMap(checkSession)).toEqual([]);
    const told = sessions.flatMap((session) =>
      stepsOf(session)
        .filter(({ label }) => label === "assistant_call")
        .map(({ payload_completed: answer, usage }) => [
          session.session_id,
          answer?.["response_id"],
          usage?.input_tokens,
          usage?.output_tokens,
        ]),
    );
    const given = answers.map(({ session, id, usage: { input, read, write, output } }) => [
      session,
      id,
      input + read + write,
      output,
    ]);
    expect(told.toSorted()).toEqual(given.toSorted());
  });

  test("an agent was asked for by the tool call that names it or whose result does, of two with the same words too", () => {
    const told = sessions.flatMap((session) => {
      const steps = stepsOf(session);
      const agents = session.agents?.filter(({ spawned_by: by }) => by !== undefined) ?? [];
      return agents.map(({ agent_id: id, spawned_by: by, origin }) => {
        const own = steps.filter(
          ({ agent_id: one, label }) => one === id && label === "assistant_call",
        );
        const names = own.map(({ payload_completed: answer }) => {
          const answered = answers.find((one) => one.id === answer?.["response_id"]);
          return answered?.agent;
        });
        const tool = steps.find(({ step_id: step }) => by?.endsWith(`/${step}`));
        return [[...new Set(names)].join(), tool?.payload_started?.["call_id"], origin];
      });
    });
    const given = new Map(answers.map(({ agent, asked }) => [agent, asked]));
    given.delete(undefined);
    expect(told.toSorted()).toEqual(
      [...given].map(([agent, asked]) => [agent, asked, "observed"]).toSorted(),
    );
  });
});

test("a turn of Codex is one run, whatever it compacts, sends to agents and hears of them", () => {
  const runs = codex.sessions.map(({ session_id: id, conversations }) => [
    id.slice(-4),
    conversations.map(({ name }) => name),
  ]);
  expect(runs.toSorted()).toEqual([
    // An agent is sent more, and what agents did is told as if a person said it.
    ["d58c", ["SCRIPT:mainv2"]],
    ["e1a5", ["SCRIPT:main please", "SCRIPT:resumed go on"]],
    // The history was summed up in the middle.
    ["f97a", ["SCRIPT:auto"]],
  ]);
});

test("what Claude Code says beside a tool's result, or in a person's place, begins no turn; that something is done in the background does", () => {
  const runs = claudeCode.sessions.map(({ session_id: id, conversations }) => [
    id.slice(-2),
    ...conversations.map(({ trigger }) => trigger),
  ]);
  expect(runs.toSorted()).toEqual([
    // Of three agents one was done, then the others.
    ["01", "user_message", "event", "event", "user_message", "user_message"],
    // A tool that stops agents was loaded; the agent was stopped.
    ["06", "user_message", "event"],
    // A skill was launched.
    ["07", "user_message"],
    // A tool that searches was loaded, and asked a model of its own.
    ["10", "user_message"],
    // An answer in a form was asked for.
    ["27", "user_message"],
  ]);
});
