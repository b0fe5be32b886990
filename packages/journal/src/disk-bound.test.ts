import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failEachCall } from "@thoughtflow/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepWithin, type RemovedSessions } from "./disk-bound.ts";
import { realFileSystem } from "./file-system.ts";
import { addFrame } from "./frame.ts";
import { createFrameBuffer } from "./frame-buffer.ts";
import { openJournal } from "./journal.ts";
import { identityOf } from "./process-identity.ts";
import { createRecordEncoder } from "./record-encoder.ts";

let dir: string;
let folder: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "bound-"));
  folder = join(dir, ".journal");
  mkdirSync(folder);
});
afterEach(() => rmSync(dir, { recursive: true }));

const FILE_BYTES = 5_000;

/** What a process left that ended so many hours ago; a journal that is not settled is in no document yet. */
function leave(writer: string, hours: number, sessions: readonly string[], isSettled = true): void {
  const frames = createFrameBuffer();
  const encoder = createRecordEncoder(frames);
  const head = { writer, segment: 1, ...identityOf(process.pid), started: "1" };
  addFrame(frames, "writer", JSON.stringify(head));
  for (const sessionId of sessions) encoder.encode({ type: "tombstone", sessionId });
  const bytes = frames.take();
  write(join(folder, `${writer}.tfj`), bytes, hours);
  if (isSettled)
    write(join(folder, `${writer}.idx`), JSON.stringify({ bytes: bytes.length, sessions }), hours);
  for (const session of sessions) leaveDocument(session, hours);
}

function leaveDocument(session: string, hours: number): void {
  const document = `{\n  "schema_version": "1.0",\n  "session_id": ${JSON.stringify(session)},`;
  write(join(dir, `${session}.json`), document.padEnd(FILE_BYTES, "x"), hours);
  write(join(dir, `${session}.d2`), "x".repeat(FILE_BYTES), hours);
}

function write(path: string, content: string | Buffer, hours: number): void {
  writeFileSync(path, content);
  const at = Date.now() / 1000 - hours * 3600;
  utimesSync(path, at, at);
}

function bound(files: number, inUse: readonly string[] = []): RemovedSessions {
  const steps = keepWithin(dir, { maxBytes: files * FILE_BYTES, inUse: () => inUse });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function left(): readonly string[] {
  return [...readdirSync(dir), ...readdirSync(folder)]
    .filter((name) => /\.(?:json|tfj)$/.test(name))
    .toSorted();
}

test("the parts of a session count, and go with it", () => {
  leave("old", 9, ["a"]);
  leave("new", 1, ["b"]);
  for (const session of ["a", "b"]) {
    mkdirSync(join(dir, session));
    const part = join(dir, session, `part-1-${"0".repeat(16)}.json`);
    write(part, "x".repeat(10 * FILE_BYTES), 1);
  }
  expect(bound(26)).toEqual({ sessions: 0, bytes: 0 });
  expect(bound(20)).toMatchObject({ sessions: 1 });
  expect(readdirSync(dir).toSorted()).toEqual([".journal", "b", "b.d2", "b.json"]);
});

test("within its bound nothing is taken out of a directory", () => {
  leave("w", 9, ["a", "b"]);
  expect(bound(10)).toEqual({ sessions: 0, bytes: 0 });
  expect(left()).toEqual(["a.json", "b.json", "w.tfj"]);
});

test("beyond it the oldest sessions go with their journals, until there is some room", () => {
  leave("v", 9, ["a"]);
  leave("w", 8, ["b"]);
  leave("x", 7, ["c"]);
  expect(bound(4)).toEqual({ sessions: 2, bytes: expect.any(Number) });
  expect(left()).toEqual(["c.json", "x.tfj"]);
});

test("sessions that share a journal, and journals that share a session, go together or stay", () => {
  leave("v", 9, ["a", "b"]);
  leave("w", 1, ["b", "c"]);
  leave("x", 5, ["d"]);
  expect(bound(7)).toMatchObject({ sessions: 1 });
  expect(left()).toEqual(["a.json", "b.json", "c.json", "v.tfj", "w.tfj"]);
  expect(bound(1)).toMatchObject({ sessions: 3 });
  expect(left()).toEqual([]);
});

test("what is in no document yet stays, and what somebody works on", () => {
  leave("v", 9, ["a"], false);
  leave("w", 8, ["b"]);
  leave("x", 7, ["c"]);
  expect(bound(1, ["b"])).toMatchObject({ sessions: 1 });
  expect(left()).toEqual(["a.json", "b.json", "v.tfj", "w.tfj"]);
});

test("what was written since a process that runs began its journal stays", () => {
  leave("w", 8, ["b"]);
  const journal = openJournal({ dir: realpathSync(dir) });
  journal.append({ type: "tombstone", sessionId: "own" });
  journal.flushSync();
  leaveDocument("own", -1);
  expect(bound(1)).toMatchObject({ sessions: 1 });
  const own = [`${journal.writer}.state.json`, `${journal.writer}.tfj`];
  expect(left()).toEqual([...own, "own.json"].toSorted());
  journal.closeSync();
});

test("a document without a journal goes by its age; a blob that no document is old enough for goes, too", () => {
  mkdirSync(join(dir, "blobs"));
  write(join(dir, "blobs", "old"), "x".repeat(FILE_BYTES), 9);
  write(join(dir, "blobs", "new"), "x".repeat(FILE_BYTES), 3);
  leaveDocument("a", 9);
  leaveDocument("b", 3);
  expect(bound(5)).toEqual({ sessions: 1, bytes: 3 * FILE_BYTES });
  expect(left()).toEqual(["b.json"]);
  expect(readdirSync(join(dir, "blobs"))).toEqual(["new"]);
});

test("in a directory that holds other things, too, those neither count nor go", () => {
  const others = ["package.json", "logo.svg", "plan.d2", "data.scores.jsonl", "model.bin"];
  for (const name of others) write(join(dir, name), "{".padEnd(9 * FILE_BYTES, " "), 99);
  leaveDocument("a", 9);
  leaveDocument("b", 3);
  expect(bound(4)).toEqual({ sessions: 0, bytes: 0 });
  expect(bound(3)).toMatchObject({ sessions: 1 });
  expect(readdirSync(dir).toSorted()).toEqual([".journal", "b.d2", "b.json", ...others].toSorted());
});

test("whichever call fails, a session that goes in part goes the next time, and what is in no document stays", async () => {
  await failEachCall(realFileSystem, { code: "EIO" }, async ({ fs }) => {
    for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
    mkdirSync(folder);
    leave("u", 9, ["unwritten"], false);
    leave("v", 8, ["a"]);
    leave("w", 7, ["b"]);
    const steps = keepWithin(dir, { maxBytes: 5 * FILE_BYTES, fs });
    try {
      while (steps.next().done !== true);
    } catch (error) {
      expect(error).toMatchObject({ code: "EIO" });
    }
    expect(left()).toEqual(expect.arrayContaining(["u.tfj", "unwritten.json"]));
    bound(1);
    expect(left()).toEqual(["u.tfj", "unwritten.json"]);
  });
});
