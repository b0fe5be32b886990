import { badPatterns, badQueries } from "@thoughtflow/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killedRun, weatherRun } from "../../testing/stories.ts";
import { appendRecords, deriveSessions, openStore, type Store, search } from "../index.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore(":memory:");
  await appendRecords(store, [...weatherRun("1", "ann"), ...killedRun("3", "bob")]);
  await deriveSessions(store);
});
afterAll(() => store.close());

const stepsFor = async (filter: string) =>
  (await search(store, filter)).rows.map(({ session, label }) => `${session} ${label}`).reverse();

test.each([
  ["perth label:user_message", ["session-1 user_message", "session-3 user_message"]],
  ['"18 degrees" label:tool_output user:bob', ["session-3 tool_output"]],
  ["deg* label:assistant_message session:session-1", ["session-1 assistant_message"]],
  ["/^how\\s+(warm|cold)/i", ["session-1 user_message", "session-3 user_message"]],
  ["-perth label:tool_output user:ann", ["session-1 tool_output"]],
  ["model:gpt-5* duration>1s session:session-1", ["session-1 assistant_call"]],
  ["cost>0.00006", ["session-1 assistant_call", "session-3 assistant_call"]],
  ["label:node -status:ok", ["session-3 node"]],
  ["tokens>=157 user:an*", ["session-1 assistant_call"]],
  ["tool:weather before:2020-01-01", []],
])("%s finds what it describes", async (filter, steps) => {
  expect(await stepsFor(filter)).toEqual(steps);
});

test.each([
  `"'; drop table steps; --"`,
  `'"' OR 1=1`,
  "name:%",
  "name:_*",
  String.raw`user:\ `,
  "‘perth’",
  "perth) OR (label:x",
  "NEAR(perth AND",
  "words:perth* ^perth",
])("nothing in %j is SQL or the index's own syntax", async (filter) => {
  const found = await search(store, filter).catch((error: Error) => error.name);
  expect(["StoreError", 0, 1, 2, 3, 4, 5, 6, 7, 8]).toContain(
    typeof found === "string" ? found : found.rows.length,
  );
  expect(await stepsFor("label:node")).toHaveLength(4);
});

test("a pattern that would take others for ever takes no longer than the text", async () => {
  await appendRecords(store, weatherRun("6", `${"a".repeat(50_000)}!`));
  await deriveSessions(store);
  expect(await stepsFor("/(a+)+$/ session:session-6 label:thought")).toEqual([]);
});

test("as many are given as are asked for, whatever decides", async () => {
  expect((await search(store, "label:*", { limit: 3 })).rows).toHaveLength(3);
  expect((await search(store, "/./", { limit: 3 })).rows).toHaveLength(3);
});

/** Rows, or what is wrong with the question: never anything else. */
async function answerTo(filter: string): Promise<readonly string[] | string> {
  return stepsFor(filter).catch((error: Error) => error.name);
}

test.each(badPatterns)("$item the pattern of a search may be $value", async ({ value }) => {
  const answer = await answerTo(`/${value}/ session:session-6 label:thought`);
  expect(answer === "StoreError" || Array.isArray(answer)).toBe(true);
  expect(await stepsFor("label:node")).toHaveLength(6);
});

test.each(badQueries)("$item the words of a search may be $value", async ({ value }) => {
  for (const filter of [value, JSON.stringify(value), `user:${value}`, `tool:${value}*`]) {
    const answer = await answerTo(filter);
    expect(answer === "StoreError" || Array.isArray(answer)).toBe(true);
  }
  expect(await stepsFor("label:node")).toHaveLength(6);
});
