import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectWhatPageSays } from "./docs/expect-what-page-says.ts";
import { examples, pages } from "./docs/pages.ts";

const ROOT = join(import.meta.dirname, "..");

// Those of other pages in `docs.thorough.test.ts`.
test.for(examples.filter(({ page }) => page === "README.md"))(
  "$page: $name prints what the page says",
  expectWhatPageSays,
);

test("the ways in are examples of their own", () => {
  const ways = examples.filter(({ page }) => page === "docs/ways-in.md");
  const folder = join(ROOT, "examples/ways-in");
  const shown = ways.map(({ name, files }) => [
    name,
    Object.fromEntries(files.map(({ name, text }) => [name, text])),
  ]);
  const there = readdirSync(folder).map((name) => [
    name,
    Object.fromEntries(
      readdirSync(join(folder, name)).map((file) => [
        file,
        readFileSync(join(folder, name, file), "utf8"),
      ]),
    ),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(there));
});

test.each([
  ["think-aloud", "app.mjs", "think-aloud/app.mjs"],
  ["thought-branches", "agent.mjs", "thought-branches/main.mjs"],
])("the program of %s is an example of its own", (name, file, path) => {
  const example = examples.find((one) => one.name === name);
  const shown = example?.files.find((one) => one.name === file)?.text;
  expect(shown).toBe(readFileSync(join(ROOT, "examples", path), "utf8"));
});

test("every program on a page is part of an example", () => {
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), "utf8");
    const shown = text.match(/^```(js|ts|console)\b/gm)?.length ?? 0;
    const executed =
      text
        .match(/<!-- example [\s\S]*?<!-- end example -->/g)
        ?.join("")
        .match(/^```(js|ts|console)\b/gm)?.length ?? 0;
    expect({ page, executed }).toEqual({ page, executed: shown });
  }
  expect(examples.length).toBeGreaterThan(2);
});

test("the tables of the document format are those of the schema", () => {
  execFileSync(process.execPath, ["scripts/document-format.mjs", "--check"], { cwd: ROOT });
});
