import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { openJournal, openSpool } from "@thoughtflow/journal";
import { REQUEST_FORMATS } from "@thoughtflow/otlp";
import { expect, onTestFinished, test } from "vitest";
import { journalOfDeadProcess } from "../../../journal/testing/journal-of-dead-process.ts";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { stepRecord } from "../../testing/step-record.ts";
import { thoughtflow } from "../thoughtflow.ts";

async function run(cwd: string, line: string) {
  const io = capturedIo(cwd);
  const exitCode = await thoughtflow(line.split(" "), io);
  return { exitCode, stdout: io.stdout(), stderr: io.stderr() };
}

/** Files of a directory in which these words stand. */
function filesWith(words: string, dir: string): readonly string[] {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(words));
}

const UNBOUND = { maxBytes: 2 ** 30, maxAgeMillis: 2 ** 40, onLoss() {} };

/** A request with a span of each session. */
function requestOf(sessions: readonly string[]): Uint8Array {
  const spans = sessions.map((session, n) => ({
    name: `of ${session}`,
    kind: 0,
    spanContext: () => ({
      traceId: "a".repeat(32),
      spanId: String(n).padStart(16, "0"),
      traceFlags: 1,
    }),
    startTime: [1, 0] as const,
    endTime: [2, 0] as const,
    status: { code: 0 },
    attributes: { "session.id": session, note: "session s" },
    links: [],
    events: [],
    resource: { attributes: {} },
    instrumentationScope: { name: "test" },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }));
  return REQUEST_FORMATS["http/protobuf"].encode(spans);
}

function sessionsIn(dir: string, destination: string): readonly string[] {
  const folder = join(dir, ".spool", destination);
  const bodies = readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString("latin1");
  });
  return bodies
    .flatMap((body) => [...body.matchAll(/of ([a-z])/g)].map(([, id = ""]) => id))
    .toSorted();
}

const words = "a secret that somebody said";
const secret = {
  content: { "gen_ai.tool.call.result": JSON.stringify(`${words} ${"x".repeat(2 ** 21)}`) },
};

test("a session is erased from documents, blobs, journals and spool; the others stay", async () => {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  journalOfDeadProcess(dir, [
    stepRecord("span_end", "s", "told", { ...secret, traceId: "b".repeat(32) }),
    stepRecord("span_end", "t", "kept"),
  ]);
  await run(cwd, "recover");
  mkdirSync(join(dir, ".spool", "backend"), { recursive: true });
  writeFileSync(join(dir, ".spool", "backend", "1"), requestOf(["s", "t"]));
  const spool = openSpool({ dir, folders: [".spool", "zipped"], ...UNBOUND });
  spool.add(gzipSync(requestOf(["t", "s", "u", "s", "t"])), 5)?.release();
  const before = JSON.parse(readFileSync(join(dir, "t.json"), "utf8"));
  expect(filesWith(words, dir).length).toBeGreaterThan(1);

  const { exitCode, stdout, stderr } = await run(cwd, "rm s");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "s\n" });
  expect(stderr).not.toContain("still runs");
  expect(filesWith(words, dir)).toEqual([]);
  expect(readdirSync(dir).filter((name) => name.startsWith("s."))).toEqual([]);
  expect(readdirSync(join(dir, "blobs"))).toEqual([]);
  // The spans of others wait on.
  expect(sessionsIn(dir, "zipped")).toEqual(["t", "t", "u"]);
  expect(sessionsIn(dir, "backend")).toEqual(["t"]);

  // What comes later of it is not shown, and of the others nothing changes.
  await run(cwd, "recover");
  expect(existsSync(join(dir, "s.json"))).toBe(false);
  expect(JSON.parse(readFileSync(join(dir, "t.json"), "utf8"))).toEqual(before);
});

test.each(["rm s", "store forget s"])(
  "what a killed process left, and nobody has recovered, is erased at once: %s",
  async (line) => {
    const cwd = directoryWith();
    const dir = join(cwd, "thoughtflow");
    const said = { content: { "gen_ai.tool.call.result": JSON.stringify("plugh and xyzzy") } };
    journalOfDeadProcess(dir, [
      stepRecord("span_end", "s", "told", { ...said, traceId: "b".repeat(32) }),
      stepRecord("span_start", "s", "hanging", { traceId: "b".repeat(32) }),
      stepRecord("span_end", "t", "kept"),
    ]);
    expect((await run(cwd, "store load")).exitCode).toBe(0);
    expect(filesWith("xyzzy", dir).length).toBeGreaterThan(1);
    const { exitCode, stderr } = await run(cwd, line);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("still runs");
    // Not a word of it, not even in an index of words.
    for (const word of ["xyzzy", "plugh"]) expect(filesWith(word, dir)).toEqual([]);
    await run(cwd, "recover");
    expect(readdirSync(dir).filter((name) => name.endsWith(".json"))).toEqual(["t.json"]);
  },
);

test("of a session in a process that still runs the rest goes when that has ended", async () => {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  const living = openJournal({ dir });
  onTestFinished(() => living.closeSync());
  living.append(stepRecord("span_end", "s", "told", secret));
  living.flushSync();
  const { exitCode, stderr } = await run(cwd, "rm s");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("A process that still runs holds records of s");
  expect(filesWith(words, dir)).toHaveLength(1);
});

test("a session that is not there is named", async () => {
  const { exitCode, stderr } = await run(directoryWith(), "rm s_nobody");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("There is no session s_nobody in ");
});

test("what is missing, or is no file, keeps nothing from being erased, and is told", async () => {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  journalOfDeadProcess(dir, [stepRecord("span_end", "s", "large", secret)]);
  await run(cwd, "recover");
  const [blob = ""] = readdirSync(join(dir, "blobs"));
  rmSync(join(dir, "blobs", blob));
  symlinkSync(join(cwd, "nowhere"), join(dir, "s.scores.jsonl"));
  rmSync(join(dir, "s.svg"));
  mkdirSync(join(dir, "s.svg"));
  mkdirSync(join(dir, ".quarantine"), { recursive: true });
  writeFileSync(join(dir, ".quarantine", "1700000000000-s.json"), `${words}, set aside`);
  writeFileSync(join(dir, ".quarantine", "1-a.tfj.7-99"), `torn: ${words} "session.id":"s", more`);
  writeFileSync(join(dir, ".quarantine", "1-b.tfj.7-99"), 'torn: "session.id":"another", more');

  const { exitCode, stderr } = await run(cwd, "rm s");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`This is not erased: ${join(dir, "s.svg")}: `);
  expect(filesWith(words, dir)).toEqual([]);
  const kept = readdirSync(join(dir, ".quarantine"));
  expect(kept).toContain("1-b.tfj.7-99");
  expect(kept).not.toContain("1-a.tfj.7-99");
  expect(kept).not.toContain("1700000000000-s.json");
  expect(readdirSync(dir).filter((name) => name.startsWith("s."))).toEqual(["s.svg"]);
});

test("a terminal does not obey what stands in a session's name", async () => {
  const id = "evil\u001b]0;title\u0007";
  const cwd = directoryWith();
  journalOfDeadProcess(join(cwd, "thoughtflow"), [stepRecord("span_end", id, "done")]);
  const io = capturedIo(cwd, { terminal: true });
  expect(await thoughtflow(["recover"], io)).toBe(0);
  expect(await thoughtflow(["rm", id], io)).toBe(0);
  const said = io.stdout() + io.stderr();
  for (const control of ["\u001b", "\u0007"]) expect(said).not.toContain(control);
});
