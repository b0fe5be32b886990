import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { scriptedAnswers } from "../../../testing/scripted-answers.ts";
import { sourceFile } from "../source-file.ts";
import { proxyLog } from "./proxy-log.ts";

const DIR = fileURLToPath(new URL("../../../fixtures/proxy-log-scripted/", import.meta.url));
const answers = scriptedAnswers(`${DIR}provider.jsonl`);
const { records } = await recordsOf(proxyLog, [sourceFile(`${DIR}trace.jsonl`, "trace.jsonl")]);
const sessions = assemble(records);

const stepsOf = ({ conversations }: Session) => conversations.flatMap(({ steps }) => steps);

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

test("an agent was asked for by the tool call whose result names it, of two with the same words too", () => {
  const told = sessions.flatMap((session) => {
    const steps = stepsOf(session);
    const agents = session.agents?.filter(({ spawned_by: by }) => by !== undefined) ?? [];
    return agents.map(({ agent_id: id, spawned_by: by, origin }) => {
      const call = steps.find(
        ({ agent_id: one, label }) => one === id && label === "assistant_call",
      );
      const tool = steps.find(({ step_id: step }) => by?.endsWith(`/${step}`));
      const answer = call?.payload_completed?.["response_id"];
      return [
        answers.find((one) => one.id === answer)?.agent,
        tool?.payload_started?.["call_id"],
        origin,
      ];
    });
  });
  const given = new Map(answers.map(({ agent, asked }) => [agent, asked]));
  given.delete(undefined);
  expect(told.toSorted()).toEqual(
    [...given].map(([agent, asked]) => [agent, asked, "observed"]).toSorted(),
  );
});

test("what the program says beside a tool's result, or in a person's place, begins no turn", () => {
  const runs = sessions.map(({ session_id: id, conversations }) => [
    id.slice(-2),
    conversations.length,
  ]);
  expect(runs.toSorted()).toEqual([
    ["01", 3],
    // A tool that stops agents was loaded.
    ["06", 1],
    // A skill was launched.
    ["07", 1],
    // A tool that searches was loaded, and asked a model of its own.
    ["10", 1],
    // An answer in a form was asked for.
    ["27", 1],
  ]);
});
