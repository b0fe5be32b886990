import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { READ, realFileSystem } from "@thoughtflow/journal";
import { decodeJsonRequest } from "@thoughtflow/otlp";
import type { FlowRecord, Session, SpanRecord } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepRecords } from "./keep-records.ts";
import { PictureError } from "./picture-error.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-kept-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function step(session: string, n: number, text: string): SpanRecord {
  return {
    type: "span_end",
    traceId: session.padStart(32, "0"),
    spanId: n.toString(16).padStart(16, "0"),
    name: "node",
    kind: "internal",
    startTimeUnixNano: `${1_700_000_000 + n}000000000`,
    endTimeUnixNano: `${1_700_000_001 + n}000000000`,
    status: { code: "unset" },
    attributes: { "session.id": session, "thoughtflow.step.label": "node" },
    content: { "thoughtflow.step.payload_started": JSON.stringify({ text }) },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}

function stepsIn(session: string): number | undefined {
  const path = join(dir, `${session}.json`);
  if (!existsSync(path)) return undefined;
  const { conversations } = JSON.parse(readFileSync(path, "utf8")) as Session;
  return conversations.flatMap(({ steps }) => steps).length;
}

/** Real spans that name their session by `gen_ai.conversation.id` alone. */
test.each(["gemini-cli", "google-adk"])(
  "what %s sent has the files of the sessions that are read in it",
  async (name) => {
    const path = new URL(`../../../tests/dialects/fixtures/emitters/${name}.json`, import.meta.url);
    const { records } = decodeJsonRequest(readFileSync(path, "utf8"));
    const { sessions } = await keepRecords(dir, records);
    const read = assemble(records);
    expect(read.length).toBeGreaterThan(0);
    expect(sessions.toSorted()).toEqual(read.map(({ session_id }) => session_id));
    for (const { session_id, totals } of read) {
      const kept = JSON.parse(readFileSync(join(dir, `${session_id}.json`), "utf8")) as Session;
      expect(kept.totals).toEqual(totals);
    }
  },
);

test("a session that the resource alone names has its files, and so has a conversation", async () => {
  const label = { "thoughtflow.step.label": "node" };
  const ofResource = { ...step("1", 1, "x"), attributes: label, resource: { "session.id": "r" } };
  const asked = { ...step("2", 2, "y"), attributes: { ...label, "gen_ai.conversation.id": "c" } };
  // Microsoft's agents write the id of the response before there.
  const answer = {
    ...step("3", 3, "z"),
    attributes: { ...label, "gen_ai.conversation.id": "resp_1" },
  };
  const { sessions } = await keepRecords(dir, [ofResource, asked, answer]);
  expect(sessions.toSorted()).toEqual(["c", "r", `s_${answer.traceId}`]);
  expect([stepsIn("r"), stepsIn("c")]).toEqual([1, 1]);
});

test("a session's files are written while others are still told, and again when it goes on", async () => {
  const megabyte = "x".repeat(2 ** 20);
  const seen: (number | undefined)[] = [];
  function* records(): Generator<FlowRecord> {
    yield step("a", 1, "first");
    for (let n = 1; n <= 32; n++) yield step("b", n, `${n} ${megabyte}`);
    seen.push(stepsIn("a"), stepsIn("b"));
    yield step("a", 2, "later");
  }
  const told: string[] = [];
  const kept = await keepRecords(dir, records(), { onSession: (id) => told.push(id) });
  expect(seen).toEqual([1, undefined]);
  expect([stepsIn("a"), stepsIn("b")]).toEqual([2, 32]);
  expect(told).toEqual(["a", "b"]);
  expect(kept).toEqual({
    records: 34,
    sessions: ["a", "b"],
    unchanged: [],
    erased: [],
    failed: [],
  });
});

test.each([
  ["held", ""],
  ["too long to be held", "x".repeat(2 ** 20)],
])("a long session that is %s is assembled in stretches of all its spans", async (_, text) => {
  const count = 40;
  function* records(): Generator<FlowRecord> {
    for (let n = 1; n <= count; n++)
      yield { ...step("s", n, text), traceId: n.toString(16).padStart(32, "0") };
  }
  const stretches: number[] = [];
  await keepRecords(dir, records(), {
    areSeparable: true,
    outline: { long: count, stretch: 10 },
    onStretch: (done) => stretches.push(done),
  });
  expect(stretches).toEqual([1, 2, 3, 4]);
  expect(stepsIn("s")).toBe(count);
});

test.each([
  ["in stretches", 2],
  ["in one piece", 3],
])(
  "a picture that can't be put in its place is told, and the document of a session assembled %s is there all the same",
  async (_, long) => {
    mkdirSync(join(dir, "s.svg"));
    const records = [1, 2].map((n) => ({
      ...step("s", n, `${n}`),
      traceId: String(n).padStart(32, "0"),
    }));
    const told: string[] = [];
    const kept = await keepRecords(dir, records, {
      areSeparable: true,
      outline: { long, stretch: 1 },
      onSession: (id) => told.push(id),
    });
    expect(told).toEqual(["s"]);
    const problem = new PictureError("s.svg", "EISDIR");
    const failed = [{ sessionId: "s", problem }];
    expect(kept).toEqual({ records: 2, sessions: ["s"], unchanged: [], erased: [], failed });
    expect(stepsIn("s")).toBe(2);
    expect(existsSync(join(dir, "s.d2"))).toBe(true);
  },
);

test("a session of fewer spans is assembled in one piece", async () => {
  const onStretch = vi.fn();
  await keepRecords(dir, [step("s", 1, "one"), step("s", 2, "two")], {
    areSeparable: true,
    outline: { long: 3, stretch: 1 },
    onStretch,
  });
  expect(onStretch).not.toHaveBeenCalled();
  expect(stepsIn("s")).toBe(2);
});

test("a session with nothing to show is kept and not told of, until it has a step", async () => {
  const { content: _, ...rest } = step("s", 1, "");
  const machinery: FlowRecord = {
    ...rest,
    attributes: { "session.id": "s", "gen_ai.operation.name": "machinery" },
  };
  const told: string[] = [];
  const options = { onSession: (id: string) => told.push(id) };
  const kept = await keepRecords(dir, [machinery], options);
  expect([kept, told]).toEqual([
    { records: 1, sessions: [], unchanged: [], erased: [], failed: [] },
    [],
  ]);
  const more = await keepRecords(dir, [step("s", 2, "first")], options);
  expect([more.sessions, told, stepsIn("s")]).toEqual([["s"], ["s"], 1]);
});

function journalFiles(): readonly string[] {
  const folder = join(dir, ".journal");
  const names = readdirSync(folder).filter((name) => name.endsWith(".tfj"));
  return names.map((name) => join(folder, name));
}

function deleteJournal(): void {
  for (const path of journalFiles()) rmSync(path);
}

function replaceFile(path: string): void {
  writeFileSync(`${path}.new`, Buffer.alloc(statSync(path).size));
  renameSync(`${path}.new`, path);
}

test.each<[string, (path: string) => void]>([
  ["is gone", (path) => rmSync(path)],
  ["is empty", (path) => truncateSync(path)],
  ["is cut off", (path) => truncateSync(path, statSync(path).size - 1)],
  ["is another file", replaceFile],
])(
  "a session whose journal %s before its files are made has failed, and is not taken for empty",
  async (_, lose) => {
    const { sessions, failed } = await keepRecords(
      dir,
      [step("a", 1, "one"), step("b", 1, "one"), step("a", 2, "two"), step("b", 2, "two")],
      { onSession: () => journalFiles().forEach(lose) },
    );
    expect(sessions).toEqual(["a", "b"]);
    expect(failed).toMatchObject([{ sessionId: "b", problem: { name: "LostJournalError" } }]);
    expect([stepsIn("a"), stepsIn("b")]).toEqual([2, undefined]);
  },
);

test.each([
  ["short", ""],
  ["long", "x".repeat(2 ** 20)],
])(
  "a long session of %s texts whose journal is gone while its stretches are made has failed, and has no short document",
  async (_, text) => {
    const records = [1, 2, 3, 4].map((n) => ({
      ...step("s", n, text),
      traceId: String(n).padStart(32, "0"),
    }));
    const { failed } = await keepRecords(dir, records, {
      areSeparable: true,
      outline: { long: 2, stretch: 1 },
      onStretch: (done) => done === 1 && deleteJournal(),
    });
    expect(failed).toMatchObject([{ sessionId: "s", problem: { name: "LostJournalError" } }]);
    expect(stepsIn("s")).toBeUndefined();
  },
);

/** Long texts, so that they are read when they are written. */
const LONG = [1, 2, 3, 4].map((n) => ({
  ...step("s", n, "x".repeat(2 ** 20)),
  traceId: String(n).padStart(32, "0"),
}));
/** Not held in memory: what comes first is told by the journal alone. */
const UNHELD = { areSeparable: true, outline: { long: 2, stretch: 2 } };

test("the texts of a stretch are read through a file that stays open", async () => {
  const opened: string[] = [];
  const openSync: typeof realFileSystem.openSync = (path, flags, mode) => {
    if (String(path).endsWith(".tfj") && flags === READ) opened.push(String(path));
    return realFileSystem.openSync(path, flags, mode);
  };
  const { failed } = await keepRecords(dir, LONG, {
    ...UNHELD,
    fs: { ...realFileSystem, openSync },
  });
  expect([failed, stepsIn("s")]).toEqual([[], 4]);
  // Once to find the records, and once a stretch.
  expect(opened.length).toBe(3);
});

test("a session whose journal is cut off while a stretch is read has failed, and has no short document", async () => {
  let isCut = false;
  const readSync = ((fd: number, bytes: NodeJS.ArrayBufferView, ...how: number[]) => {
    const read = realFileSystem.readSync(fd, bytes, ...(how as [number, number, number]));
    if (hasBegun && !isCut) for (const path of journalFiles()) truncateSync(path, 2 ** 20);
    isCut ||= hasBegun;
    return read;
  }) as typeof realFileSystem.readSync;
  let hasBegun = false;
  const { failed } = await keepRecords(dir, LONG, {
    ...UNHELD,
    fs: { ...realFileSystem, readSync },
    onStretch: () => {
      hasBegun = true;
    },
  });
  expect(isCut).toBe(true);
  expect(failed).toMatchObject([{ sessionId: "s", problem: { name: "LostJournalError" } }]);
  expect(stepsIn("s")).toBeUndefined();
});

test.each([
  ["could not be written", "a.json"],
  ["lacked a picture", "a.svg"],
])(
  "a session that goes on after its files %s has all its steps in its document",
  async (_, name) => {
    mkdirSync(join(dir, name));
    const megabyte = "x".repeat(2 ** 20);
    const apart = (n: number) => ({ ...step("a", n, `${n}`), traceId: `${n}`.padStart(32, "a") });
    function* records(): Generator<FlowRecord> {
      yield apart(1);
      for (let n = 1; n <= 12; n++) yield step("b", n, `${n} ${megabyte}`);
      rmdirSync(join(dir, name));
      for (let n = 2; n <= 5; n++) yield apart(n);
    }
    const kept = await keepRecords(dir, records(), {
      areSeparable: true,
      outline: { long: 3, stretch: 1 },
    });
    expect(kept.failed).toEqual([]);
    expect(stepsIn("a")).toBe(5);
  },
);

/** A run of a root and calls, each of which goes on from the one before. */
function longRun(session: string, calls: number): readonly SpanRecord[] {
  const spans: SpanRecord[] = [];
  for (let n = 1; n <= calls + 1; n++) {
    const { content: _, ...rest } = step(session, n, "");
    const [root, before] = [spans[0], spans.at(-1)];
    if (root === undefined || before === undefined) {
      const own = { "session.id": session, "gen_ai.operation.name": "invoke_agent" };
      spans.push({ ...rest, endTimeUnixNano: "1700009000000000000", attributes: own });
      continue;
    }
    const message = { role: "assistant", parts: [{ type: "text", content: `answer ${n}` }] };
    spans.push({
      ...rest,
      parentSpanId: root.spanId,
      attributes: {
        ...{ "session.id": session, "gen_ai.operation.name": "chat" },
        ...(before !== root && { "thoughtflow.continues": before.spanId }),
      },
      content: { "gen_ai.output.messages": JSON.stringify([message]) },
    });
  }
  return spans;
}

test.each([
  [4, undefined],
  [100, undefined],
  [4, "a.json"],
  [100, "a.svg"],
])(
  "a session whose long run was cut, in stretches of %d, has all its steps when it goes on, also where %s could not be written before",
  async (stretch, name) => {
    if (name !== undefined) mkdirSync(join(dir, name));
    const megabyte = "x".repeat(2 ** 20);
    const stretches: number[] = [];
    const more = [50, 51, 52, 53].map((n) => ({
      ...step("a", n, `${n}`),
      traceId: `${n}`.padStart(32, "a"),
    }));
    function* records(): Generator<FlowRecord> {
      yield* longRun("a", 12);
      for (let n = 1; n <= 12; n++) yield step("b", n, `${n} ${megabyte}`);
      if (name !== undefined) rmSync(join(dir, name), { recursive: true, force: true });
      yield* more;
    }
    const kept = await keepRecords(dir, records(), {
      areSeparable: true,
      outline: { long: 3, stretch, cut: 4 },
      onStretch: (_, all) => stretches.push(all),
    });
    expect(kept.failed).toEqual([]);
    const again = join(dir, "again");
    await keepRecords(again, [...longRun("a", 12), ...more], {});
    expect(readFileSync(join(dir, "a.json"), "utf8")).toBe(
      readFileSync(join(again, "a.json"), "utf8"),
    );
    expect(stretches.at(-1)).toBe(stretch < 100 ? 4 : 1);
  },
);

test("what was said and no call is given keeps no run in one piece", async () => {
  const [root, first, ...others] = longRun("a", 12);
  const { content: _, ...bare } = step("a", 99, "");
  const said = {
    ...bare,
    ...{ parentSpanId: root?.spanId, startTimeUnixNano: first?.startTimeUnixNano },
    endTimeUnixNano: first?.startTimeUnixNano,
    attributes: { "session.id": "a", "thoughtflow.step.label": "user_message" },
    content: { "thoughtflow.step.payload_started": JSON.stringify({ text: "Stop." }) },
  };
  const records = [root, first, said, ...others] as SpanRecord[];
  let stretches = 0;
  await keepRecords(dir, records, {
    areSeparable: true,
    outline: { long: 3, stretch: 4, cut: 4 },
    onStretch(_, all) {
      stretches = all;
    },
  });
  expect(stretches).toBe(4);
  await keepRecords(join(dir, "again"), records, {});
  const documents = ["a.json", "again/a.json"].map((name) => readFileSync(join(dir, name), "utf8"));
  expect(documents[0]).toBe(documents[1]);
});

/** Those of this process, also of files that are gone. */
function openFilesBelow(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

test.skipIf(process.platform !== "linux")(
  "a long run that could not be put in its place leaves no file of its steps, open or not",
  async () => {
    const renameSync: typeof realFileSystem.renameSync = (from, to) => {
      if (String(to).includes("part-"))
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      realFileSystem.renameSync(from, to);
    };
    const kept = await keepRecords(dir, longRun("a", 40), {
      areSeparable: true,
      outline: { long: 3, stretch: 4, cut: 4 },
      partBytes: 4_000,
      fs: { ...realFileSystem, renameSync },
    });
    expect(kept.failed).toMatchObject([{ sessionId: "a", problem: { code: "ENOSPC" } }]);
    expect(openFilesBelow(dir)).toEqual([]);
    expect(readdirSync(dir).filter((name) => !name.startsWith(".") && name !== "a")).toEqual([]);
    expect(readdirSync(dir).filter((name) => name.includes("tmp"))).toEqual([]);
  },
);
