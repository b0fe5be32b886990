import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

let count = 0;

/** A record that follows the one before. */
function line(role: "user" | "assistant", message: object, more: object = {}): object {
  count++;
  return {
    type: role,
    uuid: `u${count}`,
    parentUuid: `u${count - 1}`,
    sessionId: "s",
    timestamp: new Date(Date.UTC(2026, 6, 6, 10, 0, count)).toISOString(),
    message: { role, ...message },
    ...more,
  };
}

const said = (text: string, more?: object) => line("user", { content: text }, more);
const answered = (text: string, model: string) =>
  line("assistant", { id: `m${count}`, model, content: [{ type: "text", text }] });
const stopped = () => answered("A hook stopped it.", "<synthetic>");

async function stepsOf(lines: readonly object[]) {
  const text = lines.map((one) => JSON.stringify(one)).join("\n");
  const { records } = await recordsOfText(claudeCode, text);
  return assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
}

async function toldIn(lines: readonly object[]) {
  const steps = await stepsOf(lines);
  return steps.map(({ label, payload_started: told }) => [label, told?.["text"]]);
}

test("what the program said last, in the place of an answer, is a step of its own", async () => {
  expect(await toldIn([said("Build it."), stopped()])).toEqual([
    ["user_message", "Build it."],
    ["generic", "A hook stopped it."],
  ]);
});

test("what a call is given is told with it alone, and what none was given beside it", async () => {
  const went = [said("Build it."), stopped(), said("Go on."), answered("Done.", "claude-opus-4-8")];
  expect((await toldIn(went)).filter(([label]) => label === "generic")).toEqual([]);
  const summary = () => said("They build.", { isCompactSummary: true });
  const left = [said("Test it."), stopped(), summary(), answered("Done.", "claude-opus-4-8")];
  expect((await toldIn(left)).filter(([label]) => label === "generic")).toEqual([
    ["generic", "A hook stopped it."],
  ]);
});
