import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf, recordsOfText } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

const DIR = fileURLToPath(
  new URL("../../../fixtures/claude-code-killed-scripted/", import.meta.url),
);

async function importOf(id: string) {
  const paths = await filesBelow(DIR, (path) => path.includes(id) && path.endsWith(".jsonl"));
  const files = paths.map((path) => sourceFile(path, path.slice(DIR.length)));
  const { records, warnings } = await recordsOf(claudeCode, files);
  const runs = assemble(records).flatMap(({ conversations }) => conversations);
  const stepsOf = (label: string) =>
    runs.flatMap(({ steps }) => steps.filter((step) => step.label === label));
  return {
    runs: runs.map(({ status }) => status),
    lasted: runs.map(({ duration_ms }) => duration_ms),
    agents: stepsOf("agent").map(({ status }) => status),
    tools: stepsOf("tool_call").map(({ status }) => status),
    warnings: warnings.join("\n"),
  };
}

const UNANSWERED = "× request of which no answer was written";

test("a run is abandoned whose model was killed off while it answered: its request says so, also where the program had time to sum up", async () => {
  const { runs, lasted, warnings } = await importOf("33333333-0000-4000-8000-000000000001");
  expect(runs).toEqual(["abandoned"]);
  expect(lasted[0]).toBeGreaterThan(150);
  expect(warnings).toContain(`1 ${UNANSWERED}`);
});

test("a run is abandoned whose last tool was killed with the program: nobody was given what that says", async () => {
  const { runs, tools, warnings } = await importOf("33333333-0000-4000-8000-000000000004");
  expect(runs).toEqual(["abandoned"]);
  expect(tools).toEqual(["error"]);
  expect(warnings).not.toContain(UNANSWERED);
});

test("a killed run is abandoned also where the session was gone on with", async () => {
  const { runs } = await importOf("11111111-0000-4000-8000-000000000031");
  expect(runs).toEqual(["abandoned", "completed"]);
});

test("sub-agents are abandoned that a kill cut off, in a tool or in an answer", async () => {
  const { runs, agents, tools } = await importOf("22222222-0000-4000-8000-000000000032");
  expect(runs).toEqual(["abandoned"]);
  expect(agents).toEqual(["abandoned", "abandoned"]);
  expect(tools.toSorted()).toEqual(["abandoned", "abandoned", "abandoned", "ok"]);
});

test("a sub-agent in the background is abandoned that the program ended with, though the run was done", async () => {
  const { runs, agents } = await importOf("22222222-0000-4000-8000-000000000038");
  expect(runs).toEqual(["completed"]);
  expect(agents).toEqual(["abandoned"]);
});

test("sub-agents that somebody stopped with the run are cancelled", async () => {
  const { runs, agents } = await importOf("22222222-0000-4000-8000-000000000031");
  expect(runs).toEqual(["aborted", "completed"]);
  expect(agents).toEqual(["cancelled", "cancelled"]);
});

test("a run whose answers were empty is done, and that nobody knows what they took is told", async () => {
  const { runs, warnings } = await importOf("11111111-0000-4000-8000-000000000013");
  expect(runs).toEqual(["completed"]);
  expect(warnings).toContain(`2 ${UNANSWERED}`);
});

const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

/** A transcript of these records, each following the one before. */
async function statusesOf(...records: readonly object[]) {
  const lines = records.map((record, nth) =>
    JSON.stringify({
      ...{ uuid: idOf(nth), parentUuid: nth === 0 ? null : idOf(nth - 1) },
      ...{ sessionId: "s1", isSidechain: false },
      timestamp: new Date(Date.UTC(2026, 8, 30, 1, 0, nth)).toISOString(),
      ...record,
    }),
  );
  const { records: spans } = await recordsOfText(claudeCode, lines.join("\n"));
  return assemble(spans).flatMap(({ conversations }) => conversations.map(({ status }) => status));
}

const said = (content: unknown) => ({ type: "user", message: { role: "user", content } });
const answered = (nth: number, ...content: readonly object[]) => ({
  type: "assistant",
  message: { id: `m${nth}`, role: "assistant", model: "claude-opus-5-5", content },
});
const words = (text: string) => ({ type: "text", text });
const asked = (name = "Bash") => answered(1, { type: "tool_use", id: "t1", name, input: {} });
const gave = said([{ type: "tool_result", tool_use_id: "t1", content: "given" }]);
const noted = (type: string) => ({ type: "attachment", attachment: { type } });

test("a result that no model was given is the end of a killed run, of any version", async () => {
  expect(await statusesOf(said("Go."), asked(), gave)).toEqual(["abandoned"]);
  expect(await statusesOf(said("Go."), asked(), gave, answered(2, words("Done.")))).toEqual([
    "completed",
  ]);
});

test("a result after which nothing was to come is the end of a run", async () => {
  const ends = [noted("max_turns_reached"), noted("hook_stopped_continuation")];
  for (const end of ends)
    expect(await statusesOf(said("Go."), asked(), gave, end)).toEqual(["completed"]);
  expect(await statusesOf(said("Go."), asked("StructuredOutput"), gave)).toEqual(["completed"]);
});

test("a copy that was made while the model worked doesn't tell that it was cut off", async () => {
  const records = [said("Go."), asked(), gave];
  const copied = records.map((record, nth) => ({
    ...record,
    forkedFrom: { sessionId: "s0", messageUuid: idOf(nth) },
  }));
  expect(await statusesOf(...copied)).toEqual(["completed"]);
});

test("what the program says in a person's place while the agent works ends no run too early", async () => {
  const notice = {
    ...said("<task-notification>done</task-notification>"),
    origin: { kind: "task-notification" },
  };
  expect(
    await statusesOf(said("Go."), asked(), gave, notice, answered(2, words("Done."))),
  ).not.toContain("abandoned");
});

/** What the program writes when a session is resumed whose last prompt nobody answered. */
const RESUMED = {
  type: "assistant",
  message: {
    ...{ id: "p1", role: "assistant", model: "<synthetic>" },
    content: [words("No response requested.")],
  },
};
const request = { type: "api-request", uuid: undefined, id: "q1", querySource: "sdk" };

test("a prompt that was killed off before its first answer is a run of its own, whether its request or the resumed program says so", async () => {
  const end = answered(1, words("Done."));
  for (const between of [[request], [request, RESUMED], [RESUMED]])
    expect(await statusesOf(said("Go."), ...between, said("Go."), request, end)).toEqual([
      "abandoned",
      "completed",
    ]);
});

test("prompts that were typed ahead of the first answer, and a command before the session was resumed, begin one run", async () => {
  const end = answered(1, words("Done."));
  expect(await statusesOf(said("Go."), said("Go on."), request, end)).toEqual(["completed"]);
  const command = [said("<command-name>/model</command-name>")];
  const given = said("<local-command-stdout>Set.</local-command-stdout>");
  expect(await statusesOf(...command, given, RESUMED, said("Go."), request, end)).toEqual([
    "completed",
  ]);
});
