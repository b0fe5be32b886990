import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

type Fields = Readonly<Record<string, unknown>>;

const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 10, minute)).toISOString();
const record = (uuid: string, parentUuid: string | null, minute: number, more: Fields) => ({
  uuid,
  parentUuid,
  sessionId: "s2",
  timestamp: at(minute),
  ...more,
});
const said = (uuid: string, parent: string | null, minute: number, text: string, more = {}) =>
  record(uuid, parent, minute, {
    type: "user",
    message: { role: "user", content: text },
    ...more,
  });
const answered = (uuid: string, parent: string, minute: number, text: string) =>
  record(uuid, parent, minute, {
    type: "assistant",
    message: { id: `m-${uuid}`, role: "assistant", model: "m", content: [{ type: "text", text }] },
  });

const begun = [
  said("u1", null, 0, "Start."),
  answered("a1", "u1", 1, "Ready."),
  said("u2", "a1", 10, "Keep going."),
];
const COMPACTED = "Conversation compacted";
const boundary = record("cb", null, 30, {
  type: "system",
  subtype: "compact_boundary",
  content: COMPACTED,
  logicalParentUuid: "a2",
  compactMetadata: {
    preservedSegment: { headUuid: "a1", anchorUuid: "cs", tailUuid: "a2" },
    preservedMessages: { anchorUuid: "cs", uuids: ["a1", "u2", "a2"] },
  },
});
const summary = said("cs", "cb", 31, "So far: a plan.", { isCompactSummary: true });
const last = [said("u3", "a2", 40, "After it."), answered("a3", "u3", 41, "Done.")];

async function stepsIn(records: readonly Fields[]) {
  const text = records.map((one) => JSON.stringify(one)).join("\n");
  const { records: spans } = await recordsOf(claudeCode, [sourceText(text, "s2.jsonl")]);
  return assemble(spans).flatMap((one) => one.conversations.flatMap((run) => run.steps));
}

/** What each call was given in words, by what it answered. */
async function givenIn(records: readonly Fields[]) {
  const steps = await stepsIn(records);
  const wordsOf = (id: string) =>
    steps.find((one) => one.step_id === id)?.payload_started?.["text"];
  return Object.fromEntries(
    steps.flatMap(({ label, payload_started: began, payload_completed: gave }) =>
      label === "assistant_call"
        ? [
            [
              gave?.["text"],
              ((began?.["input"] ?? []) as string[]).flatMap((id) => wordsOf(id) ?? []),
            ],
          ]
        : [],
    ),
  );
}

const whole = {
  "Ready.": ["Start."],
  "Kept going.": ["Keep going."],
  "Done.": ["So far: a plan.", "After it."],
};

test.each([
  // As Claude Code writes it, with the summary as what it follows.
  ["after the summary", [boundary, summary, answered("a2", "cs", 21, "Kept going.")]],
  ["before it", [answered("a2", "u2", 21, "Kept going."), boundary, summary]],
])("an answer that a compaction keeps, written %s, was given before it", async (_, records) => {
  expect(await givenIn([...begun, ...records, ...last])).toEqual(whole);
});

test("a summary counts where what it should keep never comes", async () => {
  const given = await givenIn([...begun, boundary, summary]);
  expect(given).toEqual({ "Ready.": ["Start."] });
  const further = await givenIn([...begun, boundary, summary, ...last]);
  expect(further["Done."]).toEqual(["So far: a plan.", "After it."]);
});

test("a summary that no call was given is kept: the session was over, or summed up once more", async () => {
  const again = said("cs2", "cb2", 33, "Shorter: a plan.", { isCompactSummary: true });
  const second = [{ ...boundary, uuid: "cb2", timestamp: at(32) }, again];
  const further = [said("u3", "cs2", 40, "After it."), answered("a3", "u3", 41, "Done.")];
  const keptIn = async (...records: readonly Fields[]) =>
    (await stepsIn([...begun, boundary, summary, ...records]))
      .filter(({ label }) => label === "generic")
      .flatMap(({ payload_started: told }) => told?.["text"] ?? [])
      .filter((text) => text !== COMPACTED);
  expect(await keptIn()).toEqual(["So far: a plan."]);
  expect(await keptIn(...last)).toEqual([]);
  expect(await keptIn(...second, ...further)).toEqual(["So far: a plan."]);
});
