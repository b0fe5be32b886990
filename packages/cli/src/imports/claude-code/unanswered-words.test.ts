import { assemble } from "@thoughtflow/assemble";
import { isAfterCompaction } from "@thoughtflow/schema/steps";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

type Content = string | readonly object[];

const text = (words: string) => ({ type: "text", text: words });
const PICTURE = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "iVBORw0K".repeat(500) },
};
const result = (id: string, content: string) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const asks = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "df -h" } });

const user = (content: Content, more: object = {}) => ({ role: "user", content, more });
const assistant = (id: string, content: Content) => ({
  role: "assistant",
  id,
  model: "claude-opus-4-8",
  content,
});

/** Records that follow each other, as Claude Code writes them. */
async function runsOf(messages: readonly { role: string; content: Content; more?: object }[]) {
  const lines = messages.map(({ more, ...message }, nth) =>
    JSON.stringify({
      type: message.role,
      uuid: `u${nth}`,
      parentUuid: nth === 0 ? null : `u${nth - 1}`,
      sessionId: "s",
      timestamp: new Date(Date.UTC(2026, 9, 1, 12, 0, nth)).toISOString(),
      message,
      ...more,
    }),
  );
  const { records } = await recordsOfText(claudeCode, lines.join("\n"));
  return assemble(records)[0]?.conversations ?? [];
}

async function toldIn(messages: Parameters<typeof runsOf>[0]) {
  return (await runsOf(messages)).map(({ steps }) =>
    steps.map(({ label, payload_started: asked, payload_completed: given }) => [
      label,
      asked?.["text"] ?? given?.["text"] ?? given?.["result"] ?? asked?.["name"],
    ]),
  );
}

test("a prompt with a picture that nobody answered is the user's", async () => {
  const [run] = await runsOf([user([text("[Image #1] What is wrong here?"), PICTURE])]);
  expect(run?.steps).toMatchObject([
    { label: "user_message", payload_started: { text: "[Image #1] What is wrong here?" } },
  ]);
  expect(JSON.stringify(run?.steps)).not.toContain("iVBORw0KiVBORw0K");
});

test("a prompt with a picture that was summed up before it was answered stands in the run that it began", async () => {
  const told = await toldIn([
    user("Begin."),
    assistant("m1", [text("Begun.")]),
    user([text("And this?"), PICTURE]),
    user("It began.", { isCompactSummary: true }),
    user("Go on."),
    assistant("m2", [text("Done.")]),
  ]);
  expect(told.map((steps) => steps.filter(([label]) => label === "user_message"))).toEqual([
    [["user_message", "Begin."]],
    [
      ["user_message", "And this?"],
      ["user_message", "Go on."],
      ["user_message", "It began."],
    ],
  ]);
});

test("a result that stands before the part of the answer that asks for it is the tool's", async () => {
  const [run] = await runsOf([
    user("Is there room?"),
    assistant("m1", [text("I look.")]),
    user([result("t1", "50 GB")]),
    assistant("m1", [asks("t1")]),
    assistant("m2", [text("Yes.")]),
  ]);
  expect(run?.status).toBe("completed");
  expect(run?.steps.map(({ label, status }) => [label, status])).toEqual([
    ["user_message", "ok"],
    ["assistant_call", "ok"],
    ["assistant_message", "ok"],
    ["tool_call", "ok"],
    ["tool_output", "ok"],
    ["assistant_call", "ok"],
    ["assistant_message", "ok"],
  ]);
});

test("a result of a call that is not here is told, whether a model was given it or not", async () => {
  const lone = [user([result("t0", "50 GB")]), user("Is there room?")];
  const answered = await toldIn([...lone, assistant("m1", [text("Yes.")])]);
  expect(answered.flat().filter(([, told]) => told === "50 GB")).toEqual([
    ["tool_output", "50 GB"],
  ]);
  const left = await toldIn([user("Is there room?"), assistant("m1", [text("I look.")]), ...lone]);
  expect(left.flat().filter(([, told]) => told === "50 GB")).toEqual([["generic", "50 GB"]]);
});

test("a summary that nobody asked anything after goes on from the last call, and one that a call was given does not", async () => {
  const begun = [user("Begin."), assistant("m1", [text("Begun.")])];
  const summary = user("It began.", { isCompactSummary: true });
  const marked = async (messages: Parameters<typeof runsOf>[0]) =>
    (await runsOf(messages))
      .flatMap(({ steps }) => steps)
      .filter(isAfterCompaction)
      .map(({ label, edges }) => [label, edges?.map(({ type, confidence }) => [type, confidence])]);
  expect(await marked([...begun, summary])).toEqual([["generic", [["continues", undefined]]]]);
  const asked = await marked([...begun, summary, user("Go on."), assistant("m2", [text("Done.")])]);
  expect(asked.map(([label]) => label)).toEqual(["assistant_call"]);
});
