import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { documentInParts } from "@thoughtflow/schema/document-parts";
import { type FaultyFileSystem, failEachCall } from "@thoughtflow/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FileSystem, realFileSystem } from "./file-system.ts";
import { createFlowDirectory } from "./flow-directory.ts";
import { PartError, readDocument } from "./read-document.ts";
import { createPartWriter, removeOtherParts } from "./session-parts.ts";
import { writeDocumentSync } from "./write-document.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parts-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

function sessionOf(steps: number, said: string): Session {
  const step = (n: number) => ({
    step_id: `s${n}`,
    label: "assistant_call",
    depends_on: n === 0 ? [] : `s${n - 1}`,
    // Every second one is long enough to stay in the file.
    payload_started: { name: said, input: ["é\n".repeat((n % 2) * 2_000)] },
    payload_completed: { text: said },
  });
  return {
    schema_version: "1.0",
    session_id: "Session",
    conversations: ["a", "b", "c"].map((conversation_id) => ({
      conversation_id,
      steps: Array.from({ length: steps }, (_, n) => step(n)),
    })),
  };
}

const MOST_BYTES = 16_000;
/** Of the calls of the file system: a sample. */
const EVERY = 7;

function write(session: Session, fs: FileSystem = realFileSystem): void {
  const directory = createFlowDirectory(dir, fs);
  const sessionId = session.session_id;
  const parts = createPartWriter(directory, sessionId, { fs });
  const chunks = documentInParts(session, {
    sessionId,
    mostBytes: MOST_BYTES,
    writePart: parts.write,
  });
  const result = writeDocumentSync(directory.make(), "Session~u10.json", chunks, { fs });
  if (!result.written) throw new Error(result.code);
  removeOtherParts(dir, sessionId, parts.paths, fs);
}

function read(fs?: FileSystem): string {
  const document = readDocument(join(dir, "Session~u10.json"), fs);
  const text = canonicalJson(document.session as Session);
  document.close();
  return text;
}

function partFiles(): string[] {
  return existsSync(join(dir, "Session~u10")) ? readdirSync(join(dir, "Session~u10")) : [];
}

it("a session that is too long for one file is read back from its parts, for the user alone", () => {
  const session = sessionOf(20, "one");
  write(session);
  expect(partFiles().length).toBeGreaterThan(5);
  for (const name of partFiles()) {
    const { mode, size } = statSync(join(dir, "Session~u10", name));
    expect(mode & 0o777).toBe(0o600);
    expect(size).toBeLessThan(MOST_BYTES + 1_000);
  }
  expect(statSync(join(dir, "Session~u10")).mode & 0o777).toBe(0o700);
  expect(read()).toBe(canonicalJson(session));
});

it("the parts of the last state go when the next one is there, and so does the empty folder", () => {
  write(sessionOf(20, "one"));
  const before = partFiles();
  write(sessionOf(20, "two"));
  expect(partFiles().filter((name) => before.includes(name))).toEqual([]);
  expect(read()).toBe(canonicalJson(sessionOf(20, "two")));
  const brief = sessionOf(1, "brief");
  write(brief);
  expect(readFileSync(join(dir, "Session~u10.json"), "utf8")).toBe(canonicalJson(brief));
  expect(existsSync(join(dir, "Session~u10"))).toBe(false);

  write(sessionOf(20, "one"));
  writeFileSync(join(dir, "Session~u10", "run.d2"), "");
  write(brief);
  expect(partFiles()).toEqual(["run.d2"]);
});

it("is the old session or the new one, whichever call of the file system fails", async () => {
  const [old, next] = [sessionOf(4, "old"), sessionOf(4, "new")];
  const seen = new Set<string>();
  await failEachCall(
    realFileSystem,
    { code: "EIO", every: EVERY },
    async ({ fs }: FaultyFileSystem<FileSystem>) => {
      write(old);
      let isWritten = true;
      try {
        write(next, fs);
      } catch {
        isWritten = false;
      }
      expect(read()).toBe(canonicalJson(isWritten ? next : old));
      seen.add(String(isWritten));
      // What a failure has left goes with the next writing.
      write(old);
      const { parts } = JSON.parse(readFileSync(join(dir, "Session~u10.json"), "utf8"));
      expect(partFiles().filter((name) => name.startsWith("part-"))).toHaveLength(parts.length);
    },
  );
  expect(seen).toEqual(new Set(["true", "false"]));
});

it("a reader that comes while the document is replaced reads it again", () => {
  const [old, next] = [sessionOf(20, "old"), sessionOf(20, "new")];
  write(old);
  let isReplaced = false;
  const fs: FileSystem = {
    ...realFileSystem,
    openSync(...args) {
      const isPart = String(args[0]).includes("part-");
      if (isPart && !isReplaced) {
        isReplaced = true;
        write(next);
      }
      return realFileSystem.openSync(...args);
    },
  };
  expect(read(fs)).toBe(canonicalJson(next));
});

it("what was read stays readable while others replace it", () => {
  const old = sessionOf(20, "old");
  write(old);
  const document = readDocument(join(dir, "Session~u10.json"));
  write(sessionOf(20, "new"));
  expect(canonicalJson(document.session as Session)).toBe(canonicalJson(old));
  document.close();
});

it("a part that is gone, cut off, changed or of another name is told as such", () => {
  write(sessionOf(20, "one"));
  const [name = ""] = partFiles();
  const [document, part] = [join(dir, "Session~u10.json"), join(dir, "Session~u10", name)];
  const [text, bytes] = [readFileSync(document, "utf8"), readFileSync(part)];
  const problem = (): unknown => {
    try {
      return read();
    } catch (error) {
      return error;
    }
  };
  for (const broken of [bytes.subarray(1), Buffer.from(bytes.toString().replace("one", "two"))]) {
    writeFileSync(part, broken);
    expect(problem()).toBeInstanceOf(PartError);
  }
  rmSync(part);
  expect(problem()).toBeInstanceOf(PartError);
  writeFileSync(join(dir, "elsewhere"), bytes);
  symlinkSync(join(dir, "elsewhere"), part);
  expect(problem()).toBeInstanceOf(PartError);
  for (const path of [`../${name}`, `Session~u10/../${name}`, name, `/${name}`, "a/b.json", 1]) {
    writeFileSync(document, text.replace(`"Session~u10/${name}"`, JSON.stringify(path)));
    expect(problem()).toBeInstanceOf(PartError);
  }
});

it("nothing is written or removed through a link that stands for the folder", () => {
  const elsewhere = join(dir, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, `part-1-${"0".repeat(16)}.json`), "");
  symlinkSync(elsewhere, join(dir, "Session~u10"));
  expect(() => write(sessionOf(20, "one"))).toThrow("ENOTDIR");
  write(sessionOf(1, "brief"));
  expect(readdirSync(elsewhere)).toHaveLength(1);
});

it("documents of other forms are read, too, whatever their lines are like", () => {
  const session = sessionOf(3, "one");
  const path = join(dir, "Session~u10.json");
  for (const text of [
    JSON.stringify(session),
    JSON.stringify(session, null, 4),
    JSON.stringify(session, null, 2),
    canonicalJson(session).trimEnd(),
    canonicalJson(session).replaceAll("\n", "\r\n"),
    canonicalJson({ ...session, conversations: [] }),
  ]) {
    writeFileSync(path, text);
    expect(JSON.parse(read())).toEqual(JSON.parse(text));
  }
  for (const text of ["", "{", canonicalJson(session).slice(0, -200), "[]\n{"]) {
    writeFileSync(path, text);
    expect(() => read()).toThrow(SyntaxError);
  }
  renameSync(path, `${path}.other`);
  expect(() => read()).toThrow("ENOENT");
});
