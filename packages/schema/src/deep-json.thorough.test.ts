import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { compactJson } from "./deep-json.ts";
import type { Session } from "./document.ts";

function nested(depth: number): unknown {
  let value: unknown = "core";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

test("a session with a value of any depth is written, in a size that follows its length", () => {
  const session = (depth: number): Session => ({
    session_id: "s",
    conversations: [
      {
        conversation_id: "r",
        steps: [{ step_id: "a", label: "tool_call", payload_started: { args: nested(depth) } }],
      },
    ],
  });
  for (const depth of [63, 64, 65, 5000]) {
    const text = canonicalJson(session(depth));
    expect(text.length).toBeLessThan(20_000 + depth * 10);
    expect(compactJson(JSON.parse(text))).toBe(compactJson(session(depth)));
  }
  expect(canonicalJson(session(1_000_000))).toContain('"core"');
});

test("a list longer than the call stack is written", () => {
  const list = Array.from({ length: 500_000 }, (_, index) => index);
  expect(compactJson(list)).toBe(JSON.stringify(list));
});
