import fc from "fast-check";
import { expect, test } from "vitest";
import { createFreeIds } from "./free-ids.ts";

/** What `take` gives, said plainly: it looks at every id from the first on. */
function firstFree(id: string, spanId: string, used: ReadonlySet<string>): string {
  const digits = [4, 5, 6, 7, 8].map((length) => spanId.slice(0, length));
  const numbers = Array.from({ length: used.size + 1 }, (_, n) => `${spanId}~${n + 2}`);
  const endings = ["", ...[...digits, ...numbers].map((ending) => `~${ending}`)];
  return endings.map((ending) => `${id}${ending}`).find((one) => !used.has(one)) ?? "";
}

test("an id is the first that is free, whatever was given before", () => {
  const spanId = fc.constantFrom("aabbccdd", "aabbccde");
  const id = fc.constantFrom("run", "run~aabb", "run~aabbccdd", "run~aabbccdd~3");
  fc.assert(
    fc.property(fc.array(id), fc.array(fc.tuple(id, spanId), { maxLength: 60 }), (given, asked) => {
      const ids = createFreeIds(given);
      const used = new Set<string>(given);
      for (const [name, span] of asked) {
        const wanted = firstFree(name, span, used);
        expect(ids.take(name, span)).toBe(wanted);
        used.add(wanted);
      }
    }),
  );
});

test("a hundred thousand of one name are counted through once", () => {
  const ids = createFreeIds(["run"]);
  let last = "";
  for (let n = 0; n < 100_000; n++) last = ids.take("run", "aabbccdd");
  expect(last).toBe("run~aabbccdd~99996");
});
