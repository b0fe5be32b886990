import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session, type Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { opencode } from "./opencode.ts";

const DIR = fileURLToPath(new URL("../../../fixtures/opencode-endings-scripted/", import.meta.url));

async function importOf(...ids: readonly string[]) {
  const paths = await filesBelow(DIR, (path) => ids.some((id) => path.includes(id)));
  const { records, warnings } = await recordsOf(
    opencode,
    paths.map((path) => sourceFile(path, path.slice(DIR.length))),
  );
  const [session] = assemble(records);
  if (session === undefined) throw new Error("no session");
  expect(checkSession(session)).toEqual([]);
  return { session, warnings };
}

function stepsOf({ conversations }: Session): readonly Step[] {
  return conversations.flatMap(({ steps }) => steps);
}

const told = ({ conversations, totals }: Session) => ({
  runs: conversations.map(({ status }) => status),
  input: totals?.input_tokens,
  output: totals?.output_tokens,
});

test("a run is abandoned whose last answer never ended: the program was killed, and nobody knows what that took", async () => {
  const { session } = await importOf("ses_de580be33ffe");
  expect(told(session)).toEqual({ runs: ["abandoned"], input: 1682, output: 216 });
  const calls = stepsOf(session).filter(({ label }) => label === "assistant_call");
  expect(calls.map(({ usage }) => usage?.input_tokens)).toEqual([1682, undefined]);
});

test("a run that somebody stopped keeps what had come, and the next one goes on from there", async () => {
  const { session } = await importOf("ses_de57eae09ffe");
  expect(told(session)).toEqual({ runs: ["aborted", "completed"], input: 6553, output: 1059 });
  const stopped = stepsOf(session).find(({ status }) => status === "error");
  expect(stopped?.payload_completed?.["text"]).toBe("This is a text that is cut");
  expect(stopped?.usage).toBeUndefined();
});

test("a sub-agent that is asked again is one, and no other is missing", async () => {
  const { session, warnings } = await importOf("ses_de5858739ffe", "ses_de5857b17ffe");
  expect(session.agents?.map(({ name }) => name)).toEqual(["opencode", "general"]);
  expect(told(session)).toEqual({ runs: ["completed"], input: 9069, output: 1017 });
  expect(warnings.filter((line) => line.includes("nothing is there"))).toEqual([]);
});

test("an image that a tool read is told beside its words, and one that a person gave is no unknown field", async () => {
  const { session, warnings } = await importOf("ses_de585ce02ffe");
  const output = stepsOf(session).find(({ label }) => label === "tool_output");
  expect(output?.payload_completed?.["result"]).toEqual([
    { type: "text", content: "Image read successfully" },
    expect.objectContaining({ type: "blob", modality: "image", mime_type: "image/png" }),
  ]);
  expect(warnings.filter((line) => line.includes("not known"))).toEqual([]);
});

test("a sub-agent that is asked again goes on from what that tool call handed it", async () => {
  const { session } = await importOf("ses_de5857b17ffe", "ses_de5858739ffe");
  const steps = stepsOf(session);
  const callOf = (id: string) =>
    steps.find((step) => step.step_id === id)?.payload_started?.["call_id"];
  const handed = steps.flatMap(({ edges = [], payload_completed: answer }) =>
    edges.flatMap(({ type, to, origin }) =>
      callOf(to) === undefined || type === "returns"
        ? []
        : [[answer?.["text"], type, callOf(to), origin]],
    ),
  );
  expect(handed).toEqual([
    [undefined, "subagent_spawn", "call_44_0", "observed"],
    ["asked again, done.", "handoff", "call_47_0", "observed"],
  ]);
});
