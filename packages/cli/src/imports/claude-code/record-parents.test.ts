import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

type Link = readonly [id: number, parent: number | null, said?: string];

const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;

/** Records in the order of their lines, each with what it says that it follows. */
function transcript(sessionId: string, links: readonly Link[]): string {
  return links
    .map(([id, parent, said = `${id}`], at) =>
      JSON.stringify({
        type: at % 2 === 0 ? "user" : "assistant",
        uuid: uuidOf(id),
        parentUuid: parent === null ? null : uuidOf(parent),
        sessionId,
        timestamp: new Date(Date.UTC(2026, 0, 1) + id * 1_000).toISOString(),
        message: {
          id: `msg_${id}`,
          role: at % 2 === 0 ? "user" : "assistant",
          content: [{ type: "text", text: said }],
        },
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

async function toldOf(...sessions: readonly (readonly Link[])[]) {
  const files = sessions.map((links, nth) =>
    sourceText(transcript(`s${nth}`, links), `s${nth}.jsonl`),
  );
  const { records, warnings } = await recordsOf(claudeCode, files);
  const text = JSON.stringify(records);
  for (const said of sessions.flat().map(([id, , words = `${id}`]) => `"${words}\\"`))
    expect(text).toContain(said);
  return warnings.filter((line) => line.startsWith("Repaired"));
}

const circles = (count: number) =>
  `Repaired: ${count} × circle of records that follow each other: the order of the lines counts.`;
const dangling = (count: number) =>
  `Repaired: ${count} × record that follows one which is not here: the order of the lines counts.`;
const TWICE = "Repaired: 1 × record with the id of another one: both are kept.";

test.each<[string, readonly Link[], readonly string[]]>([
  [
    "a sound one",
    [
      [1, null],
      [2, 1],
      [3, 2],
      [4, 3],
    ],
    [],
  ],
  [
    "a fork",
    [
      [1, null],
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 2],
      [6, 5],
    ],
    [],
  ],
  [
    "a record before the one that it follows",
    [
      [1, null],
      [3, 2],
      [2, 1],
      [4, 3],
    ],
    [],
  ],
  [
    "a record that follows itself",
    [
      [1, 1],
      [2, 1],
    ],
    [circles(1)],
  ],
  [
    "a circle of four",
    [
      [1, 4],
      [2, 1],
      [3, 2],
      [4, 3],
    ],
    [circles(1)],
  ],
  [
    "two circles, one with a tail",
    [
      [1, 2],
      [2, 1],
      [3, 4],
      [4, 3],
      [5, 3],
      [6, 5],
    ],
    [circles(2)],
  ],
  [
    "a circle that is written backwards",
    [
      [4, 3],
      [3, 2],
      [2, 1],
      [1, 4],
    ],
    [circles(1)],
  ],
  [
    "parents that are nowhere",
    [
      [1, 90],
      [2, 1],
      [3, 91],
      [4, 3],
    ],
    [dangling(2)],
  ],
  [
    "two records with one id",
    [
      [1, null],
      [2, 1],
      [1, null, "other"],
      [4, 1],
    ],
    [TWICE],
  ],
])("an import tells of what can't be, and keeps all of it: %s", async (_, links, told) => {
  expect(await toldOf(links)).toEqual(told);
});

test("a session that was resumed follows a record of another one, if that is here", async () => {
  const resumed: readonly Link[] = [
    [3, 2],
    [4, 3],
  ];
  expect(
    await toldOf(
      [
        [1, null],
        [2, 1],
      ],
      resumed,
    ),
  ).toEqual([]);
  expect(await toldOf(resumed)).toEqual([dangling(1)]);
});
