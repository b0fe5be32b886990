import { expect, test } from "vitest";
import { createPlaceTable } from "./place-table.ts";

test("a name has all its places, in order, also where one name stands nearly everywhere", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => [
    ["the session", at + 1] as const,
    [`trace ${at % 5_000}`, at + 1] as const,
  ]).flat();
  const find = createPlaceTable({
    count: names.length + 10,
    visit: (take) => {
      for (const [name, place] of names) take(name, place);
    },
  });
  expect(find("the session")).toEqual(Array.from({ length: 20_000 }, (_, at) => at + 1));
  expect(find("trace 7")).toEqual([8, 5_008, 10_008, 15_008]);
  expect(find("nobody")).toEqual([]);
});
