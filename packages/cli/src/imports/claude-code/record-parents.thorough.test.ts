import { expect, test } from "vitest";
import { createRecordRows } from "../record-rows.ts";
import { createRecordParents } from "./record-parents.ts";

const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;

// Nothing can be counted of the steps: if each record were followed to the first one, it would never end.
test("a hundred thousand records, each before the one that it follows, are looked through once", () => {
  const parents = createRecordParents(createRecordRows());
  const count = 100_000;
  for (let id = count; id > 0; id--)
    parents.add({ uuid: uuidOf(id), parentUuid: uuidOf(id - 1) }, () => false);
  expect(parents.broken()).toEqual({ dangling: 1, circles: 0 });
});
