import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./architecture/packages.ts";

interface NamedTest {
  readonly file: string;
  /** A part of its title, where one is named. */
  readonly title: string | undefined;
}

/** What stands in the rows of a page's tables: files of this repository, some with a title. */
function testsIn(text: string): readonly NamedTest[] {
  return [...text.matchAll(/`((?:tests|packages)\/[^`]+\.ts)`(?:: \*([^*|]+)\*)?/g)].map(
    ([, file = "", title]) => ({ file, title }),
  );
}

function rowsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, "docs", page), "utf8");
  return text.split("\n").filter((line) => line.startsWith("| "));
}

function missing({ file, title }: NamedTest): boolean {
  const path = join(ROOT, file);
  return !existsSync(path) || !readFileSync(path, "utf8").includes(title ?? "");
}

test.each(["reliability.md", "faults.md", "bad-inputs.md"])(
  "every test that docs/%s names is there",
  (page) => {
    const named = rowsOf(page).flatMap(testsIn);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(missing)).toEqual([]);
  },
);

test("each of the sixty faults has its tests", () => {
  const rows = rowsOf("faults.md").filter((row) => /^\| F\d\d /.test(row));
  expect(rows.map((row) => row.slice(2, 5))).toEqual(
    Array.from({ length: 60 }, (_, n) => `F${String(n + 1).padStart(2, "0")}`),
  );
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([]);
});
