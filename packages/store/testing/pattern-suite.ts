import fc from "fast-check";
import { sql } from "kysely";
import { RE2JS } from "re2js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordOf } from "../../assemble/testing/record-of.ts";
import { appendRecords, deriveSessions, type Store, search } from "../src/index.ts";
import { anyPattern, anyText } from "./random-patterns.ts";

/** How many texts there are: more than one page. */
const TEXTS = 1100;

/** That a pattern finds what a look at all texts would find. `open` gives an empty store. */
export function patternSuite(name: string, open: () => Promise<Store>): void {
  describe(`patterns in ${name}`, () => {
    let store: Store;
    let steps: readonly { readonly step: string; readonly text: string }[];

    beforeAll(async () => {
      store = await open();
      await appendRecords(store, thoughts(fc.sample(anyText, TEXTS)));
      await deriveSessions(store);
      const { rows } = await sql<(typeof steps)[number]>`select s.step_id as step, t.text
        from steps s join step_texts t on t.step_row = s.id order by s.id desc`.execute(
        store.database,
      );
      steps = rows;
    });
    afterAll(() => store.close());

    test("whatever they are, they find what a look at all texts does", async () => {
      expect(steps.length).toBeGreaterThanOrEqual(TEXTS);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(anyPattern, fc.boolean(), fc.boolean()), {
            minLength: 1,
            maxLength: 2,
          }),
          fc.constantFrom("", " label:thought", " abc", " -18"),
          fc.constantFrom(3, 5000),
          async (terms, other, limit) => {
            const filter = terms
              .map(
                ([pattern, ignoresCase, isNegated]) =>
                  `${isNegated ? "-" : ""}/${pattern}/${ignoresCase ? "i" : ""}`,
              )
              .join(" ");
            const tests = terms.map(([pattern, ignoresCase, isNegated]) => {
              const compiled = RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
              return (text: string) => compiled.test(text) !== isNegated;
            });
            const among = new Set(await found(other, 5000));
            const expected = steps
              .filter(
                ({ step, text }) =>
                  (other === "" || among.has(step)) && tests.every((holds) => holds(text)),
              )
              .slice(0, limit);
            expect(await found(`${filter}${other}`, limit)).toEqual(
              expected.map(({ step }) => step),
            );
          },
        ),
        { numRuns: 200 },
      );
    });

    async function found(filter: string, limit: number): Promise<readonly unknown[]> {
      return (await search(store, filter, { limit })).rows.map(({ step }) => step);
    }
  });
}

/** A trace of thoughts, each a text. */
function thoughts(texts: readonly string[]) {
  return texts.map((thought, at) =>
    recordOf({
      id: at.toString(16),
      trace: "7",
      at,
      until: at,
      attributes: { "session.id": "thoughts", "thoughtflow.step.label": "thought" },
      content: { "thoughtflow.step.started": { thought } },
    }),
  );
}
