import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What was said in a transcript, without what a copy of it gives names of its own. */
type Said = Fields & { readonly type: string };

const BEGAN = Date.UTC(2026, 0, 1);

const user = (content: unknown, more: Fields = {}): Said => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
const answer = (name: string, part: Fields, more: Fields = {}): Said => ({
  type: "assistant",
  requestId: `req_011CVJ517iGrQqjVF${name}`,
  message: {
    id: `msg_01H4wg8bFy2psdmQvJM${name}`,
    role: "assistant",
    model: "claude-opus-4-8",
    content: [part],
    usage: { input_tokens: 100, output_tokens: 10 },
  },
  ...more,
});
const text = (words: string) => ({ type: "text", text: words });

/** A transcript in which every record has an id of its own, as a copy has. */
function transcript(sessionId: string, said: readonly Said[], startMs = BEGAN): string {
  const uuidOf = (nth: number) =>
    `${sessionId.padEnd(8, "0")}-0000-4000-8000-${String(nth).padStart(12, "0")}`;
  return said
    .map((one, nth) =>
      JSON.stringify({
        parentUuid: nth === 0 ? null : uuidOf(nth - 1),
        uuid: uuidOf(nth),
        sessionId,
        isSidechain: false,
        timestamp: new Date(startMs + nth * 1_000).toISOString(),
        ...one,
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

async function importOf(files: Readonly<Record<string, string>>) {
  const { records, warnings } = await recordsOf(
    claudeCode,
    Object.entries(files).map(([name, content]) => sourceText(content, `${name}.jsonl`)),
  );
  const sessions = assemble(records);
  const steps = sessions.flatMap(({ conversations }) => conversations).flatMap((run) => run.steps);
  return {
    warnings,
    steps,
    sums: Object.fromEntries(
      sessions.map(({ session_id: id, totals, conversations }) => [
        id,
        [totals?.model_calls, totals?.input_tokens, totals?.tool_calls, conversations.length],
      ]),
    ),
  };
}

const callsIn = (sums: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(sums).map(([id, [calls]]) => [id, calls]));

const COMMON = [
  user("Is it raining?"),
  {
    ...answer("", text("No response requested.")),
    requestId: undefined,
    message: { id: "4f1b0a52", role: "assistant", model: "<synthetic>", content: [] },
  },
  answer("aaaa", text("I look.")),
  answer("aaaa", { type: "tool_use", id: "toolu_01", name: "Bash", input: { command: "look" } }),
  user([{ type: "tool_result", tool_use_id: "toolu_01", content: "dry" }]),
  answer("bbbb", text("It is dry.")),
];
const OWN = [user("And tomorrow?"), answer("cccc", text("I can't know."))];
const ORIGINAL = [...COMMON, user("Thanks."), answer("dddd", text("Welcome."))];
const FORK = [...COMMON, ...OWN];

test.each([
  ["with the times of the original", BEGAN],
  ["with the times of the copying", BEGAN + 3_600_000],
])(
  "a session that was copied under new ids, %s, has the calls that it made itself",
  async (_, startMs) => {
    const { sums, steps, warnings } = await importOf({
      fork: transcript("fork", [...FORK, user("Bye."), answer("eeee", text("Bye."))], startMs),
      original: transcript("original", ORIGINAL),
    });
    expect(sums).toEqual({ original: [3, 300, 1, 2], fork: [2, 200, 0, 2] });
    const call = (words: string) =>
      steps.find(
        ({ label, payload_completed: told }) =>
          label === "assistant_call" && (told as Fields | undefined)?.["text"] === words,
      );
    expect(call("I can't know.")?.edges).toContainEqual(
      expect.objectContaining({
        type: "continues",
        to: expect.stringContaining(call("It is dry.")?.step_id ?? "?"),
      }),
    );
    expect(call("I can't know.")?.payload_started?.["input"]).toHaveLength(6);
    expect(warnings).toContain(
      "Left out: 6 × record that was copied under a new id: another session told its answer.",
    );
  },
);

test("a copy of a copy has its own calls, too, and a copy without any is no session", async () => {
  const { sums, warnings } = await importOf({
    original: transcript("a", ORIGINAL),
    copy: transcript("b", FORK),
    again: transcript("c", [...FORK, user("Go on."), answer("eeee", text("No."))]),
    same: transcript("d", ORIGINAL),
  });
  expect(sums).toEqual({ a: [3, 300, 1, 2], b: [1, 100, 0, 1], c: [1, 100, 0, 1] });
  expect(warnings).toContain("Left out: 1 × session that is the beginning of another one.");
});

test("what a sub-agent did is not told again by the copy of its file", async () => {
  const asked = answer("bbbb", {
    type: "tool_use",
    id: "toolu_02",
    name: "Task",
    input: { prompt: "Count the files, please." },
  });
  const result = user([{ type: "tool_result", tool_use_id: "toolu_02", content: "9" }], {
    toolUseResult: { agentId: "a1" },
  });
  const begun = [user("Count."), asked, result, answer("cccc", text("Nine."))];
  const own = { agentId: "a1", isSidechain: true };
  const agent = [user("Count the files, please.", own), answer("dddd", text("9"), own)];
  const { sums, warnings } = await importOf({
    a: transcript("a", begun),
    "agent-a1": transcript("a", agent),
    b: transcript("b", [...begun, user("Again."), answer("eeee", text("Nine again."))]),
    "b/agent-a1": transcript("b", agent),
  });
  expect(sums).toEqual({ a: [3, 300, 1, 1], b: [1, 100, 0, 1] });
  expect(warnings.filter((line) => line.includes("No tool call asked"))).toEqual([]);
});

test("what a sub-agent was asked is not told again by the copy of its progress", async () => {
  const asked = answer("bbbb", {
    type: "tool_use",
    id: "toolu_02",
    name: "Task",
    input: { prompt: "Count the files, please." },
  });
  const progress: Said = {
    type: "progress",
    parentToolUseID: "toolu_02",
    data: { type: "agent_progress", agentId: "a1", message: user("Count the files, please.") },
  };
  const begun = [user("Count."), asked, progress];
  const { sums, warnings } = await importOf({
    a: transcript("a", [...begun, answer("cccc", text("Nine."))]),
    b: transcript("b", [...begun, ...OWN.slice(0, 1), answer("dddd", text("No."))]),
  });
  expect(sums).toEqual({ a: [2, 200, 1, 1], b: [1, 100, 0, 1] });
  expect(warnings.filter((line) => line.includes("No tool call asked"))).toEqual([]);
});

test("answers of providers whose ids come again are told apart", async () => {
  const said = (words: string) => [
    user("Say it."),
    { ...answer("", text(words)), requestId: "req_1", message: { id: "msg_1", content: words } },
  ];
  const { sums } = await importOf({
    a: transcript("a", said("One.")),
    b: transcript("b", said("One."), BEGAN + 1),
  });
  expect(callsIn(sums)).toEqual({ a: 1, b: 1 });
});

test("an answer with a short id is a copy where it says the same at the same time", async () => {
  const said = (words: string): readonly Said[] => [
    user("Say it."),
    { ...answer("", text(words)), requestId: "req_1", message: { id: "msg_1", content: words } },
  ];
  const { sums } = await importOf({
    a: transcript("a", said("One.")),
    b: transcript("b", [...said("One."), ...OWN]),
    c: transcript("c", said("Two.")),
  });
  expect(callsIn(sums)).toEqual({ a: 1, b: 1, c: 1 });
});

test("without ids of requests an answer is a copy where it says the same at the same time", async () => {
  const said = (words: string) => [
    user("Say it."),
    { ...answer("aaaa", text(words)), requestId: undefined },
  ];
  const { sums } = await importOf({
    a: transcript("a", said("One.")),
    b: transcript("b", [...said("One."), ...OWN]),
    c: transcript("c", said("Two.")),
    d: transcript("d", said("One."), BEGAN + 5_000),
  });
  expect(callsIn(sums)).toEqual({ a: 1, b: 1, c: 1, d: 1 });
});
