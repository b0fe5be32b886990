import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { longSession, seedSession } from "../fixtures/sessions.ts";
import { oneLine } from "./clean-text.ts";
import { d2 } from "./d2.ts";
import { mermaid } from "./mermaid.ts";
import { mermaidText } from "./mermaid-text.ts";
import { svg } from "./svg.ts";

test("text keeps no character that Mermaid, Markdown or HTML reads, and its codes give it back", () => {
  const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostileTexts));
  fc.assert(
    fc.property(anyText, (text) => {
      const escaped = mermaidText(text);
      expect(escaped.replace(/#\d+;/g, "x")).not.toMatch(/["#;<>&`*_{}[\]|\\$%~^@=+]|[.-]\s/);
      expect(escaped.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))).toBe(
        oneLine(text),
      );
    }),
  );
});

test("a run is a subgraph, its steps are nodes, and snapshots feed the model call", () => {
  const lines = mermaid.render(seedSession).split("\n");
  expect(lines.filter((line) => /r1s4|r1s8$|subgraph|direction/.test(line))).toEqual([
    '  subgraph r1 ["Run 1: what’s the weather today?"]',
    "    direction TB",
    '    r1s4("policy · 1 ms<br/>You are a fast voice AI assistant..."):::context',
    "  r1s1 ==> r1s8",
    "  r1s4 ==> r1s8",
    "  r1s5 ==> r1s8",
    "  r1s6 ==> r1s8",
    "  r1s7 ==> r1s8",
  ]);
});

test("runs of one name are told apart by what was asked, in each drawing of their steps", () => {
  const runOf = (id: string, text: string) => ({
    conversation_id: id,
    name: "Claude Code",
    steps: [{ step_id: id, label: "user_message", payload_started: { text } }],
  });
  const session = {
    session_id: "s",
    conversations: [runOf("a", "Fix it."), runOf("b", "Test it.")],
  };
  for (const { name, render } of [mermaid, d2, svg]) {
    const headings = render(session).match(/Run \d: [A-Za-z· ]+/g);
    expect([name, headings?.map((text) => text.trim())]).toEqual([
      name,
      ["Run 1: Claude Code · Fix it", "Run 2: Claude Code · Test it"],
    ]);
  }
});

test("stays below the limits with which code hosts run Mermaid", () => {
  const source = mermaid.render(longSession(1, 66));
  expect(source.length).toBeLessThan(50_000);
  expect(source.match(/-->|==>|-\.->/g)?.length).toBeLessThanOrEqual(500);
});
