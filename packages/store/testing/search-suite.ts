import { badPatterns, badQueries } from "@thoughtflow/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  appendRecords,
  deriveSessions,
  forgetSessions,
  graphRuns,
  oldSessions,
  type Store,
  search,
  sessionsOfUser,
} from "../src/index.ts";
import { stepPages } from "../src/search/step-pages.ts";
import { killedRun, weatherRun } from "./stories.ts";

/** What every store finds, whatever database it is in. `open` gives an empty one. */
export function searchSuite(name: string, open: () => Promise<Store>): void {
  describe(`a search in ${name}`, () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await appendRecords(store, [...weatherRun("1", "ann"), ...killedRun("3", "bob")]);
      await deriveSessions(store);
    });
    afterAll(() => store.close());

    const stepsFor = async (filter: string) =>
      (await search(store, filter)).rows
        .map(({ session, label }) => `${session} ${label}`)
        .reverse();

    test.each([
      ["perth label:user_message", ["session-1 user_message", "session-3 user_message"]],
      ['"18 degrees" label:tool_output user:bob', ["session-3 tool_output"]],
      ['"18 degrees" label:tool_output -perth user:bob', ["session-3 tool_output"]],
      ["deg* label:assistant_message session:session-1", ["session-1 assistant_message"]],
      ["/^how\\s+(warm|cold)/i", ["session-1 user_message", "session-3 user_message"]],
      ["/egre.+s/ label:tool_output session:session-1", ["session-1 tool_output"]],
      ["degrees /18 [a-f]/ label:tool_output session:session-1", ["session-1 tool_output"]],
      ["/snow|EGREES/i label:tool_output session:session-1", ["session-1 tool_output"]],
      ["/snow/", []],
      ["degrees -/^18/ label:tool_output", []],
      ["-perth label:tool_output user:ann", ["session-1 tool_output"]],
      ["model:gpt-5* duration>1s session:session-1", ["session-1 assistant_call"]],
      ["cost>0.00006", ["session-1 assistant_call", "session-3 assistant_call"]],
      ["label:node -status:ok", ["session-3 node"]],
      ["tokens>=157 user:an*", ["session-1 assistant_call"]],
      ["tool:weather before:2020-01-01", []],
    ])("%s finds what it describes", async (filter, steps) => {
      expect(await stepsFor(filter)).toEqual(steps);
    });

    test("what is less sure is found by its own confidence or by that of what it rests on", async () => {
      await sql`update edges set confidence = 0.4 where session_id = 'session-1' and type = 'returns'`.execute(
        store.database,
      );
      expect(await stepsFor("confidence<0.5 user:ann")).toEqual([
        "session-1 tool_output",
        "session-1 assistant_message",
      ]);
      expect(await stepsFor("confidence<0.4 user:ann")).toEqual([]);
      expect(await stepsFor("-confidence<0.5 label:tool_output user:ann")).toEqual([]);
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
      expect(["FilterError", 0, 1, 2, 3, 4, 5, 6, 7, 8]).toContain(
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
      expect(answer === "FilterError" || Array.isArray(answer)).toBe(true);
      expect(await stepsFor("label:node")).toHaveLength(6);
    });

    test.each(badQueries)("$item the words of a search may be $value", async ({ value }) => {
      for (const filter of [value, JSON.stringify(value), `user:${value}`, `tool:${value}*`]) {
        const answer = await answerTo(filter);
        expect(answer === "FilterError" || Array.isArray(answer)).toBe(true);
      }
      expect(await stepsFor("label:node")).toHaveLength(6);
    });

    test.each(badQueries)("$item ids, users and moments may be $value", async ({ value }) => {
      expect(await sessionsOfUser(store, value)).toEqual([]);
      expect(await graphRuns(store, value)).toEqual([]);
      expect(await forgetSessions(store, [value], false)).toEqual([value]);
      const before = "2020-01-01T00:00:00.000Z";
      expect(await oldSessions(store, { before, silentSince: before })).toEqual([]);
      expect(await stepsFor("label:node")).toHaveLength(6);
    });

    test("many steps are read a page at a time, also where few are left between others", async () => {
      const own = await open();
      await appendRecords(own, weatherRun("1", "ann"));
      await deriveSessions(own);
      await sql`delete from steps`.execute(own.database);
      const json = own.flavour.kind === "postgres" ? sql`::json` : sql``;
      // Every seventh number, and a gap of a million.
      await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2600)
        insert into steps (id, session_id, run, step, step_id, run_id, label, payload_started)
        select case when n > 1300 then 1000000 else 0 end + n * 7, 'session-1', 0, n, cast(n as text), 'SM1', 'thought',
          ('{"thought":"number ' || cast(n as text) || case when n % 650 = 0 then ' special' else '' end || '"}')${json}
        from numbers`.execute(own.database);
      await sql`insert into step_texts (step_row, text) select id, 'number ' || step_id ||
        case when step % 650 = 0 then ' special' else '' end from steps`.execute(own.database);
      const pages: number[] = [];
      const ids: number[] = [];
      for await (const page of stepPages(own, () => sql`s.label = 'thought'`)) {
        const some = page.ids.split("\0").map(Number);
        pages.push(some.length);
        ids.push(...some);
        expect(page.texts.split("\0")).toHaveLength(some.length);
      }
      expect(Math.max(...pages)).toBe(1000);
      const all = Array.from({ length: 2600 }, (_, at) => (at >= 1300 ? 1e6 : 0) + (at + 1) * 7);
      expect(ids.sort((one, other) => one - other)).toEqual(all);
      // Its words stand in no index: these patterns have no literal that could be looked for there.
      const numbers = (found: Awaited<ReturnType<typeof search>>) =>
        found.rows.map(({ step }) => step);
      expect(numbers(await search(own, "/[s]pe[c]i[a]l$/"))).toEqual([
        "2600",
        "1950",
        "1300",
        "650",
      ]);
      expect(numbers(await search(own, "/[s]pe[c]i[a]l$/", { limit: 2 }))).toEqual([
        "2600",
        "1950",
      ]);
      expect(numbers(await search(own, "-/special/ /[0]{2}$/"))).toHaveLength(24);
      await own.close();
    });
  });
}
