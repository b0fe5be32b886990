import { expect, test } from "vitest";
import { createImportReport } from "./create-import-report.ts";
import {
  createSessionsBelow,
  outermostSessions,
  type PlacedSession,
} from "./outermost-sessions.ts";

/** @param sessions By id, each with its parent; `-` for none. */
function outermostOf(sessions: readonly string[]): {
  readonly ids: readonly string[];
  readonly warned: readonly string[];
} {
  const warned: string[] = [];
  const report = createImportReport((line) => warned.push(line.split(":")[0] ?? ""));
  const placed = sessions.map(([id = "", parent = "-"]): PlacedSession => {
    return { id, parentId: parent === "-" ? undefined : parent, ms: 0 };
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

test("each session below one is found once, after the one above it, also in a circle", () => {
  const sessions = ["ba", "a-", "cb", "dc", "cb", "ef", "fe"].map((names) => ({
    id: names[0] ?? "",
    parentId: names[1] === "-" ? undefined : names[1],
    ms: 0,
  }));
  const below = createSessionsBelow(sessions, (session) => session);
  const idsBelow = (at: number) => {
    const [top] = sessions.slice(at);
    return top === undefined ? [] : [...below(top)].map(({ id }) => id);
  };
  expect([idsBelow(1), idsBelow(5), idsBelow(1)]).toEqual([["b", "c", "c", "d"], ["f"], []]);
});

test("sessions below ten thousand others are found without looking at all of them each time", () => {
  const count = 10_000;
  let looks = 0;
  const sessions = Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    parentId: at === 0 ? undefined : `${Math.floor((at - 1) / 2)}`,
    ms: 0,
  }));
  const below = createSessionsBelow(sessions, (session) => {
    looks++;
    return session;
  });
  const [top] = sessions;
  expect(top && [...below(top)]).toHaveLength(count - 1);
  expect(looks).toBeLessThan(3 * count);
});
