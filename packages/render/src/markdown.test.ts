import fc from "fast-check";
import markdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { call, said, tool } from "../fixtures/agent-calls.ts";
import { arbitrarySession } from "../fixtures/arbitrary-session.ts";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { longSession, toolLoop } from "../fixtures/sessions.ts";
import { cleanText, oneLine } from "./clean-text.ts";
import { markdown } from "./markdown.ts";
import { markdownFence, markdownHtml, markdownText } from "./markdown-text.ts";

// As permissive as a code host before it sanitises: HTML passes, addresses become links that begin with a protocol or with
// `www.`. What only looks like a host does not: `main.rs` is a file.
const parser = markdownIt({ html: true, linkify: true });
parser.linkify.set({ fuzzyLink: false }).add("www.", { validate: /^[^\s<>]+\.[^\s<>]+/ });
const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostileTexts));

/** The text that a reader sees, and every kind of token besides text. */
function read(source: string) {
  const inline = parser.parse(source, {}).flatMap((token) => token.children ?? [token]);
  const visible = inline.filter(({ type }) => type === "text" || type === "text_special");
  return {
    text: visible
      .map(({ content }) => content)
      .join("")
      .replaceAll("\u{200b}", ""),
    kinds: [...new Set(inline.map(({ type }) => type))].filter((type) => !type.startsWith("text")),
  };
}

describe("text in Markdown", () => {
  test("shows as itself, without markup, HTML, images or links", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { text: seen, kinds } = read(`x ${markdownText(text)} x`);
        expect(seen).toBe(`x ${oneLine(text)} x`);
        expect(kinds).toEqual(["paragraph_open", "paragraph_close"]);
      }),
    );
  });

  test("at the start of a line is a paragraph, whatever it begins with", () => {
    for (const text of hostileTexts.filter((each) => oneLine(each) !== "")) {
      expect(read(markdownText(text)).kinds).toEqual(["paragraph_open", "paragraph_close"]);
    }
  });

  test("the parser here makes links as code hosts do", () => {
    const linked = ["www.evil.example", "https://evil.example", "a@evil.com", "main.rs 0.AC"];
    expect(linked.map((text) => read(text).kinds.includes("link_open"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("names nobody and refers to nothing", () => {
    expect(markdownText("@octocat see #12 at https://evil.example")).toBe(
      "@\u{200b}octocat see \\#\u{200b}12 at https:\u{200b}//evil.example",
    );
    expect(markdownHtml("<b>@octocat</b>")).toBe("&#60;b&#62;@\u{200b}octocat&#60;/b&#62;");
  });

  test("stays inside its fence, word for word", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [block, ...more] = parser.parse(markdownFence(text), {});
        expect(more).toEqual([]);
        expect(block?.content).toBe(`${cleanText(text)}\n`);
      }),
    );
  });
});

describe("a session in Markdown", () => {
  test("cuts no text for the sake of fewer characters than the note of it takes", () => {
    const written = (characters: number) => {
      const steps = [
        {
          step_id: "u",
          label: "user_message",
          payload_completed: { text: "x".repeat(characters) },
        },
      ];
      return markdown.render({
        session_id: "s",
        conversations: [{ conversation_id: "r", steps }],
      });
    };
    expect(written(6_020)).not.toContain("more characters");
    expect(written(6_100)).toContain("… 100 more characters");
  });

  test("shows no empty arguments", () => {
    const model = { step_id: "m", label: "assistant_call", payload_started: { args: {} } };
    const conversations = [{ conversation_id: "r", steps: [model] }];
    expect(markdown.render({ session_id: "s", conversations })).not.toContain("```json");
  });

  test("has its totals in a table and its errors in sight", () => {
    const lines = markdown.render(toolLoop).split("\n");
    expect(lines.slice(0, 7)).toEqual([
      "# Is it warmer in Lisbon or in Oslo this weekend, and what should I pack?",
      "",
      "Session <code>s&#95;4bf92f3577b34da6a3ce929d0e0e4736</code> · completed · 6.1 s · 1 run · 14 steps · 3 model calls · 4 tool calls · 2 errors · 3,120 → 412 tokens",
      "",
      "| runs | steps | model calls | tool calls | errors | input tokens | output tokens |",
      "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
      "| 1 | 14 | 3 | 4 | 2 | 3,120 | 412 |",
    ]);
    expect(lines.filter((line) => line.includes("❌"))).toEqual([
      "<details><summary>❌ <b>tool</b> get&#95;forecast { city: &#34;Oslo&#34; }: TimeoutError: forecast service gave no answer · 458 ms</summary>",
      "<details><summary>❌ <b>tool error</b> TimeoutError: forecast service gave no answer</summary>",
    ]);
  });

  test("has no markup from data, whatever the session holds", () => {
    fc.assert(
      fc.property(arbitrarySession, (session) => {
        const tokens = parser.parse(markdown.render(session), {});
        const inline = tokens.flatMap((token) => token.children ?? []);
        expect(
          inline
            .map(({ type }) => type)
            .filter((type) => /image|link|^em_|^s_|code_inline/.test(type)),
        ).toEqual([]);
        const html = [...tokens, ...inline]
          .filter(({ type }) => type.startsWith("html"))
          .flatMap(({ content }) => content.match(/<\/?\w[^>]*>/g) ?? []);
        expect(html.filter((tag) => !/^<\/?(details|summary|b|code)>$/.test(tag))).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  test("shows of runs that are too long what was said, what failed and who was asked, then how each began and ended", () => {
    const talk = markdown.render(longSession(20, 80));
    expect(talk).toContain("\n*Too long to show each step: here is what was said");
    expect(talk.split("\n").filter((line) => line.startsWith("> "))).toHaveLength(40);
    expect(talk).toContain("## Run 20: Please look into case number 20.");
    expect(talk).not.toContain("read&#95;file");
    const agents = [
      { agent_id: "main", name: "boss" },
      { agent_id: "sub", name: "worker", parent_agent_id: "main", spawned_by: "t1" },
    ];
    const calls = Array.from({ length: 800 }, (_, nth) => [
      {
        ...said(`c${nth}`, `Part ${nth}, ${"as long as words may be ".repeat(6)}`),
        agent_id: "sub",
      },
      call(`c${nth}`, "sub", nth),
    ]);
    const steps = [
      said("c", "Build it."),
      call("c", "main", 0),
      tool("t1", "c", "main"),
      { step_id: "a", label: "agent", agent_id: "sub", parent_step_id: "t1" },
      ...calls.flat(),
      tool("t2", "c", "main", { status: "error" }),
    ];
    const lines = markdown
      .render({ session_id: "s", agents, conversations: [{ conversation_id: "r", steps }] })
      .split("\n");
    expect(lines.filter((line) => /^( *-|>|\*\*|❌)/.test(line))).toEqual([
      "- **boss** · 1 model call · 2 tool calls · 10 → 2 tokens",
      "  - **worker** · 800 model calls · 8,000 → 1,600 tokens",
      "**User**",
      "> Build it.",
      "**tool** ",
      "❌ **tool** ",
    ]);
  });

  test("names the agent whose words are shown where the steps before them are left out", () => {
    const agents = [
      { agent_id: "a", name: "planner" },
      { agent_id: "b", name: "critic" },
    ];
    const answer = (step_id: string, agent_id: string, text: string) => ({
      step_id,
      label: "assistant_message",
      agent_id,
      payload_completed: { text },
    });
    const path = "a/path/that/is/as/long/as/paths/may/be";
    const reads = Array.from({ length: 2_000 }, (_, nth) => ({
      step_id: `t${nth}`,
      label: "tool_call",
      agent_id: "b",
      payload_started: { tool: "read_file", args: { path: `${path}/${nth}` } },
    }));
    const steps = [answer("p", "a", "I plan."), ...reads, answer("c", "b", "I doubt it.")];
    const lines = markdown
      .render({ session_id: "s", agents, conversations: [{ conversation_id: "r", steps }] })
      .split("\n");
    expect(lines.filter((line) => /^(◇|>)/.test(line))).toEqual([
      "◇ *planner*",
      "> I plan.",
      "◇ *critic*",
      "> I doubt it.",
    ]);
  });
});
