import { expect, test } from "vitest";
import { createImportReport } from "./create-import-report.ts";
import { outermostSessions, type PlacedSession } from "./outermost-sessions.ts";

/** @param sessions By id, each with its parent; `-` for none. */
function outermostOf(sessions: readonly string[]): {
  readonly ids: readonly string[];
  readonly warned: readonly string[];
} {
  const warned: string[] = [];
  const report = createImportReport((line) => warned.push(line.split(":")[0] ?? ""));
  const placed = sessions.map(([id = "", parent = "-"]): PlacedSession => {
    return { id, parentId: parent === "-" ? undefined : parent };
  });
  const found = outermostSessions(placed, (session) => session, report);
  return { ids: found.map(({ id }) => id), warned };
}

test("a session whose parent is not here stands above those below it", () => {
  expect(outermostOf(["cb", "ba", "ax", "d-"])).toEqual({ ids: ["a", "d"], warned: [] });
});

test("what hangs below a circle stands in none, whatever the order of files", () => {
  for (const files of [
    ["cb", "ab", "ba", "dc"],
    ["dc", "ab", "cb", "ba"],
  ])
    expect(outermostOf(files)).toEqual({ ids: ["a"], warned: ["a"] });
});

test("each circle has one session that stands above the others", () => {
  expect(outermostOf(["ab", "ba", "cc", "de", "ef", "fd", "g-"])).toEqual({
    ids: ["g", "a", "c", "d"],
    warned: ["a", "c", "d"],
  });
});

test("a session of which another file tells no parent is in no circle", () => {
  expect(outermostOf(["ab", "ba", "a-"])).toEqual({ ids: ["a"], warned: [] });
});
