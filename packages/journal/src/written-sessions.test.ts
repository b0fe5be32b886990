import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { dir, eachInItsDirectory, pathOf, span } from "../testing/written-journal.ts";
import { READ } from "./file-flags.ts";
import { realFileSystem } from "./file-system.ts";
import { openJournal } from "./journal.ts";

eachInItsDirectory();

/** Settles a journal with spans of so many sessions; what it lists, and how often it read for that. */
function settled(count: number): { readonly listed: readonly string[]; readonly reads: number } {
  let reads = 0;
  const openSync: typeof realFileSystem.openSync = (path, flags, mode) => {
    if (flags === READ) reads++;
    return realFileSystem.openSync(path, flags, mode);
  };
  const journal = openJournal({ dir, fs: { ...realFileSystem, openSync } });
  for (let n = 0; n < count; n++)
    journal.append(span(n, { attributes: { "session.id": `s${n}` } }));
  journal.append(span(count, { attributes: {} }));
  journal.append({
    type: "session",
    sessionId: "decided",
    status: "completed",
    reason: "idle_timeout",
    timeUnixNano: "1",
  });
  journal.settleSync();
  journal.closeSync();
  const { sessions } = JSON.parse(readFileSync(pathOf(journal, "idx"), "utf8"));
  return { listed: sessions, reads };
}

it("lists the sessions of a journal without reading it", () => {
  expect(settled(3)).toEqual({ listed: ["s0", "s1", "s2", "decided"], reads: 0 });
});

it("reads it where they were too many to remember", () => {
  const { listed, reads } = settled(10_001);
  expect(listed).toHaveLength(10_002);
  expect(reads).toBeGreaterThan(0);
});
