import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import type { Session } from "./document.ts";
import { documentInParts, joinedSession, type PartOfSession } from "./document-parts.ts";
import { readSession } from "./read-session.ts";

/** A session's files, in memory. */
function filesOf(
  session: Session,
  mostBytes: number,
  joined = (texts: Iterable<string>): string => [...texts].join(""),
): { first: string; parts: string[] } {
  const parts: string[] = [];
  const chunks = documentInParts(session, {
    sessionId: session.session_id,
    mostBytes,
    writePart(number, texts) {
      parts.push(joined(texts));
      return { path: `s/${number}`, bytes: parts.at(-1)?.length ?? 0, sha256: "" };
    },
  });
  return { first: joined(chunks), parts };
}

function join({ first, parts }: { first: string; parts: readonly string[] }): Session {
  return joinedSession(
    JSON.parse(first),
    parts.map((part) => JSON.parse(part)),
  );
}

const fixtures = new URL("../fixtures/", import.meta.url);
const sessions = readdirSync(fixtures)
  .filter((name) => name.endsWith(".json"))
  .map((name) => {
    const read = readSession(readFileSync(new URL(name, fixtures), "utf8"));
    if (!read.ok) throw new Error(name);
    return [name, read.session] as const;
  });

test.each(sessions)("%s: its parts joined are the document, byte for byte", (_, session) => {
  const text = canonicalJson(session);
  expect(filesOf(session, Number.POSITIVE_INFINITY)).toEqual({ first: text, parts: [] });
  for (const mostBytes of [0, 1_000]) {
    const files = filesOf(session, mostBytes);
    expect(files.parts.length).toBeGreaterThan(0);
    expect(canonicalJson(join(files))).toBe(text);
  }
});

const step = fc.record({
  step_id: fc.string({ minLength: 1 }),
  label: fc.string({ minLength: 1 }),
});
const run = fc.record(
  {
    conversation_id: fc.string({ minLength: 1 }),
    name: fc.string(),
    steps: fc.array(step, { maxLength: 5 }),
    // Keys that nobody knows stand behind the steps.
    zzz: fc.array(fc.string(), { maxLength: 2 }),
  },
  { requiredKeys: ["conversation_id", "steps"] },
);
const session = fc.record(
  {
    schema_version: fc.constant("1.0"),
    session_id: fc.string({ minLength: 1 }),
    title: fc.constant('\n  "conversations": []'),
    conversations: fc.array(run, { maxLength: 5 }),
    zzz: fc.constant([]),
  },
  { requiredKeys: ["schema_version", "session_id", "conversations"] },
);

test("no run and no step is lost or told twice, wherever the cuts are", () => {
  fc.assert(
    fc.property(session, fc.nat(2_000), (value, mostBytes) => {
      const files = filesOf(value, mostBytes);
      expect(canonicalJson(join(files))).toBe(canonicalJson(value));
      const held = files.parts.map((part): PartOfSession => JSON.parse(part));
      expect(held.map(({ part }) => part)).toEqual(held.map((_, at) => at + 1));
      expect(JSON.parse(files.first).parts ?? []).toEqual(
        held.map(({ conversations }, at) => ({
          path: `s/${at + 1}`,
          runs: conversations.length,
          steps: conversations.reduce((sum, { steps }) => sum + steps.length, 0),
          bytes: files.parts[at]?.length,
          sha256: "",
        })),
      );
    }),
  );
});

test("who answers each text with its bytes gets the same files as who has them measured", () => {
  fc.assert(
    fc.property(session, fc.nat(2_000), (value, mostBytes) => {
      const answered = filesOf(value, mostBytes, (texts) => {
        const source: Iterator<string, unknown, number> = texts[Symbol.iterator]();
        let whole = "";
        let next = source.next();
        for (; next.done !== true; next = source.next(Buffer.byteLength(next.value)))
          whole += next.value;
        return whole;
      });
      expect(answered).toEqual(filesOf(value, mostBytes));
    }),
  );
});

test("a file is never longer than it may be, unless a single step is", () => {
  const steps = Array.from({ length: 100 }, (_, n) => ({ step_id: `${n}`, label: "é".repeat(n) }));
  const long = { step_id: "long", label: "x".repeat(5_000) };
  const conversations = [
    { conversation_id: "a", steps: [...steps, long] },
    { conversation_id: "b", steps },
  ];
  const value = { schema_version: "1.0", session_id: "s", conversations };
  const { first, parts } = filesOf(value, 3_000);
  const list = first.slice(first.indexOf("["), first.indexOf('  "parts"'));
  const sizes = [list, ...parts].map((text) => Buffer.byteLength(text));
  expect(sizes.filter((size) => size > 3_200)).toHaveLength(1);
  expect(sizes.filter((size) => size < 1_500).length).toBeLessThanOrEqual(2);
});

test("a part may have hundreds of thousands of runs", () => {
  const run = { conversation_id: "r", steps: [] };
  const conversations = Array.from({ length: 200_000 }, () => run);
  const joined = joinedSession({ session_id: "s", conversations: [] }, [
    { conversations },
    { continues: true, conversations },
  ]);
  expect(joined.conversations.length).toBe(399_999);
});
