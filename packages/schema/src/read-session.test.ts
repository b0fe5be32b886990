import { readFileSync } from "node:fs";
import { expect, expectTypeOf, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import type { Session } from "./document.ts";
import { pathText } from "./problem.ts";
import { readSession } from "./read-session.ts";
import type { SessionV1 } from "./versions/v1-0.ts";

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");

function sessionOf(source: unknown): Session {
  const result = readSession(source);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.session;
}

/** The problems as a reader sees them: line, column, path, message, expectation. */
function problemsOf(source: unknown): string[] {
  const result = readSession(source);
  if (result.ok) return [];
  return result.problems.map(
    ({ line, column, code, path, message, expected }) =>
      `${line}:${column} ${code} ${pathText(path)} ${message} (${expected})`,
  );
}

test("the sample of seed 000 survives reading and writing", () => {
  const text = fixture("v0-seed-000.json");
  const written = canonicalJson(sessionOf(text));
  expect(JSON.parse(written)).toStrictEqual(JSON.parse(text));
  expect(canonicalJson(sessionOf(written))).toBe(written);
});

test("a tool's result folded into its call becomes a step, and a run's id its conversation_id", () => {
  expect(sessionOf(fixture("v0-folded-output.json")).conversations).toEqual([
    {
      conversation_id: "conv_1",
      status: "in_progress",
      started_at: "2025-09-04T15:33:20.100Z",
      steps: [
        expect.objectContaining({ step_id: "step_user_req_1" }),
        expect.objectContaining({
          step_id: "step_tool_call_1",
          payload_completed: { meta: { status: "ok" } },
        }),
        {
          step_id: "step_tool_call_1_out",
          label: "tool_output",
          depends_on: "step_tool_call_1",
          payload_started: {},
          payload_completed: { result: { tempC: 13 } },
        },
        expect.objectContaining({ step_id: "step_assistant_1" }),
      ],
    },
  ]);
});

test("a file of version 1.0 reads as it stands", () => {
  const text = fixture("v1-0.json");
  expect(readSession(text)).toEqual({ ok: true, session: JSON.parse(text), version: "1.0" });
});

test("the current type is the newest frozen one", () => {
  expectTypeOf<Session>().toEqualTypeOf<SessionV1>();
});

test("what the schema doesn't know survives, also from a later minor version", () => {
  const text = `{
  "schema_version": "1.7",
  "session_id": "s",
  "conversations": [],
  "__proto__": {
    "polluted": true
  },
  "mood": "good"
}
`;
  expect(readSession(text)).toMatchObject({ ok: true, version: "1.7" });
  expect(canonicalJson(sessionOf(text))).toBe(text);
});

test("a file of a later major version is refused with both versions named", () => {
  expect(problemsOf({ schema_version: "2.0", session_id: 1 })).toEqual([
    "undefined:undefined newer_version schema_version is 2.0, newer than this reader, which knows 1.0 (at most 1.0)",
  ]);
});

test.each([
  ["", "undefined:undefined syntax  is empty (JSON)"],
  ["\uFEFF \n", "undefined:undefined syntax  is empty (JSON)"],
  ['{\n  "session_id": x\n}', "2:17 syntax  Unexpected token 'x' (JSON)"],
  ['{"a":1}\n{"b":2}', "2:1 syntax  Unexpected non-whitespace character after JSON (JSON)"],
  ['{"a":"\t"}', "1:7 syntax  Bad control character in string literal (JSON)"],
  [
    '{"resourceSpans": []}',
    "1:1 foreign  is no ThoughtFlow file; it holds resourceSpans (an object with session_id and conversations)",
  ],
  ["[]", "1:1 foreign  is no ThoughtFlow file (an object with session_id and conversations)"],
])("a broken or foreign file is told with its position: %s", (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
});

test("each thing that breaks the schema is told with line, path and what was expected", () => {
  const text = `{
  "schema_version": "1.0",
  "session_id": "",
  "conversations": [
    {
      "conversation_id": "r",
      "steps": [
        { "label": "node", "depends_on": 5, "edges": [{ "to": "a", "type": "b", "origin": "x", "confidence": 2 }] },
        null
      ]
    }
  ]
}`;
  expect(problemsOf(text)).toEqual([
    '3:17 wrong_value session_id is "" (a string that is not empty)',
    "8:9 missing conversations[0].steps[0].step_id is missing (a string)",
    "8:42 wrong_type conversations[0].steps[0].depends_on is a number (a string or a list)",
    '8:91 wrong_value conversations[0].steps[0].edges[0].origin is "x" (one of "declared", "observed", "inferred")',
    "8:110 wrong_value conversations[0].steps[0].edges[0].confidence is 2 (at most 1)",
    "9:9 wrong_type conversations[0].steps[1] is null (an object)",
  ]);
});

test("nesting beyond the call stack is a problem or a session, never an exception", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  expect(readSession(deep)).toMatchObject({ ok: false });
  expect(readSession(`{"session_id":"s","conversations":[],"x":${deep}}`)).toMatchObject({
    ok: true,
  });
  expect(readSession(`{"session_id":3,"conversations":[],"x":${deep}}`)).toMatchObject({
    ok: false,
  });
});
