import type { Session } from "@thoughtflow/schema";
import fc from "fast-check";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { describe, expect, test } from "vitest";
import { arbitrarySession } from "../fixtures/arbitrary-session.ts";
import { hostileTexts } from "../fixtures/hostile-texts.ts";
import { conversation, longSession, seedSession, toolLoop } from "../fixtures/sessions.ts";
import { cleanText } from "./clean-text.ts";
import { flowGraph } from "./flow-graph.ts";
import { svg } from "./svg.ts";
import { emWidth, svgText } from "./svg-text.ts";
import { type Bar, layOutTimeline, measures } from "./timeline-layout.ts";

const drawn = [
  "svg",
  "title",
  "desc",
  "style",
  "defs",
  "marker",
  "path",
  "rect",
  "g",
  "text",
  "tspan",
];

/** Elements, attribute values and texts of a document; a strict parser throws at the first fault. */
function parse(document: string) {
  const [elements, values, texts]: [Set<string>, Set<string>, string[]] = [
    new Set(),
    new Set(),
    [],
  ];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }: SaxesTagPlain) => {
    elements.add(name);
    for (const [key, value] of Object.entries(attributes)) values.add(`${key}=${value}`);
  });
  parser.on("text", (text) => texts.push(text));
  parser.write(document).close();
  return { elements: [...elements], values: [...values], texts };
}

describe("text in SVG", () => {
  test("every hostile text is well-formed XML and reads back", () => {
    const all = hostileTexts.map((text) => `<t a="${svgText(text)}">${svgText(text)}</t>`).join("");
    const { elements, texts } = parse(`<svg>${all}</svg>`);
    expect(elements).toEqual(["svg", "t"]);
    expect(texts).toEqual(hostileTexts.filter((text) => text !== "").map(cleanText));
  });

  test("whatever a session holds, the drawing has no element, link or script but its own", () => {
    fc.assert(
      fc.property(arbitrarySession, (session) => {
        const { elements, values } = parse(svg.render(session));
        expect(elements.filter((name) => !drawn.includes(name))).toEqual([]);
        expect(values.filter((value) => /^(on|href|xlink|style=|src)/i.test(value))).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });
});

describe("the timeline", () => {
  const sessions: [string, Session][] = [
    ["seed 000", seedSession],
    ["a tool loop", toolLoop],
    ["a conversation over days", conversation],
    ["one long run", longSession(1, 116)],
    ["many runs", longSession(60, 2)],
  ];

  test.each(sessions)("of %s has no bar or label over another", (_, session) => {
    expect(overlaps(session)).toEqual([]);
  });

  test("of any session has no bar or label over another", () => {
    fc.assert(
      fc.property(arbitrarySession, (session) => {
        expect(overlaps(session)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  test("shows parallel calls in rows of their own, and a run's steps by kind", () => {
    const { bands } = layOutTimeline(toolLoop, flowGraph(toolLoop), 0);
    const tracks = bands[0]?.tracks.map(({ name, y, bars }) => [
      name,
      bars.map((bar) => (bar.y - y) / measures.rowHeight),
    ]);
    expect(tracks).toEqual([
      ["user", [0]],
      ["thoughts", [0]],
      ["model", [0, 0, 0]],
      ["tools", [0, 4, 1, 3, 2, 0, 4]],
      ["answer", [0]],
    ]);
  });

  test("leads what all calls are given to the later ones beside their row, not behind it", () => {
    const at = (second: number, seconds = 0) => ({
      started_at: `2026-01-01T00:00:0${second}.000Z`,
      ended_at: `2026-01-01T00:00:0${second + seconds}.000Z`,
    });
    const call = { label: "assistant_call", depends_on: "policy" };
    const steps = [
      { step_id: "policy", label: "policy.snapshot", ...at(0) },
      { step_id: "first", ...call, ...at(1, 3) },
      { step_id: "second", ...call, ...at(5, 3) },
    ];
    const session = {
      session_id: "s",
      conversations: [{ conversation_id: "r", steps }],
    };
    const drawing = svg.render(session);
    // The calls' row begins at 176, the policy's ends at 166.
    expect(drawing.match(/(?<= d=")[^"]+(?="><title>)/g)).toEqual([
      "M134 166V167Q134 172 139 172H223.5Q228.5 172 228.5 177Q228.5 184 237.5 184",
      "M134 166V167Q134 172 139 172H653.5Q658.5 172 658.5 177Q658.5 184 667.5 184",
    ]);
    expect(drawing.match(/class="k-\w+" x="[\d.]+" y="\d+"/g)?.slice(0, 3)).toEqual([
      'class="k-context" x="130" y="150"',
      'class="k-model" x="237.5" y="176"',
      'class="k-model" x="667.5" y="176"',
    ]);
  });

  test("puts words on the left where another bar of the row leaves them more room, and cuts them before it leaves them out", () => {
    const span = (start: number, end: number) => ({
      started_at: new Date(start).toISOString(),
      ended_at: new Date(end).toISOString(),
    });
    const says = (id: string, at: number, text: string) => ({
      step_id: id,
      label: "assistant_message",
      ...span(at, at),
      payload_started: { text },
    });
    const reads = (id: string, start: number, end: number, path: string) => ({
      step_id: id,
      label: "tool_call",
      ...span(start, end),
      payload_started: { name: "Read", args: { path } },
    });
    const last = "It is in the third of the files that I read.";
    const path = "a/long/way/down/to/the/file/that/is/read.txt";
    const session = {
      session_id: "s",
      conversations: [
        {
          conversation_id: "r",
          steps: [
            says("first", 0, "I look."),
            ...Array.from({ length: 30 }, (_, n) => reads(`t${n}`, n * 100, n * 100 + 60, path)),
            says("last", 3_000, last),
          ],
        },
      ],
    };
    const { bars } = layOutTimeline(session, flowGraph(session), 0);
    const labels = [...bars.values()].map(({ label, labelAt }) => `${labelAt}: ${label}`);
    expect(labels).toContain("after: I look.");
    expect(labels).toContain(`before: ${last}`);
    expect(overlaps(session)).toEqual([]);
  });

  test("gives the words of what failed their room first", () => {
    const steps = Array.from({ length: 30 }, (_, n) => ({
      step_id: `t${n}`,
      label: "tool_call",
      started_at: new Date(n * 100).toISOString(),
      ended_at: new Date(n * 100 + 60).toISOString(),
      payload_started: { name: "Bash", args: { command: "npm run build" } },
      ...(n === 12 && { status: "error", error: { message: "no space left" } }),
    }));
    const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
    const { bars } = layOutTimeline(session, flowGraph(session), 0);
    const failed = [...bars.values()].filter(({ state }) => state === "error");
    expect(failed.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^✗ Bash \{ command: "npm ru/),
    ]);
    expect(overlaps(session)).toEqual([]);
  });

  test("tells folded runs apart by what their users said, and how many of the steps that it folds failed", () => {
    const runOf = (id: string, text: string) => ({
      conversation_id: id,
      name: "Claude Code",
      steps: [
        { step_id: `${id}.u`, label: "user_message", payload_started: { text } },
        ...Array.from({ length: 150 }, (_, at) => ({
          step_id: `${id}.${at}`,
          label: "tool_call",
          status: at % 50 === 49 ? "error" : "ok",
        })),
      ],
    });
    const runs = [runOf("a", "Fix it."), runOf("b", "<command-name>/review</command-name>")];
    const { texts } = parse(svg.render({ session_id: "s", conversations: runs }));
    expect([...new Set(texts.filter((text) => /^Run \d/.test(text)))]).toEqual([
      "Run 1: Fix it. · 151 steps · 150 tool calls · 3 errors",
      "Run 2: /review · 151 steps · 150 tool calls · 3 errors",
    ]);
    const steps = Array.from({ length: 400 }, (_, at) => ({
      step_id: `c.${at}`,
      label: "tool_call",
      status: at === 200 ? "error" : "ok",
    }));
    const long = { conversation_id: "c", steps };
    const alone = parse(svg.render({ session_id: "s", conversations: [long] })).texts;
    expect(alone).toContain("202 steps folded · 1 failed");
  });

  test("leaves out what only tells the order, and gives names of agents their room", () => {
    const at = (second: number) => ({ started_at: `2026-01-01T00:00:0${second}.000Z` });
    const thought = (id: string, agent_id: string, second: number, after?: string) => ({
      step_id: id,
      label: "thought",
      agent_id,
      ...at(second),
      payload_started: { thought: id },
      ...(after !== undefined && {
        edges: [{ to: after, type: "follows", origin: "observed" as const }],
      }),
    });
    const drawing = svg.render({
      session_id: "s",
      agents: [
        { agent_id: "main" },
        { agent_id: "sub", name: "general-purpose agent", parent_agent_id: "main" },
      ],
      conversations: [
        {
          conversation_id: "r",
          steps: [thought("first", "main", 0), thought("second", "sub", 2, "first")],
        },
      ],
    });
    expect(drawing).not.toContain('class="arrow');
    expect(parse(drawing).texts).toContain("general-purpose agent");
  });

  test("a name of a track that is cut stands whole in its title, and what the picture is of in its description", () => {
    const name = "reviewer of the payments team's pull requests on Fridays";
    const drawing = svg.render({
      session_id: "s",
      status: "completed",
      agents: [{ agent_id: "main" }, { agent_id: "sub", name, parent_agent_id: "main" }],
      conversations: [
        { conversation_id: "r", steps: [{ step_id: "a", label: "thought", agent_id: "sub" }] },
      ],
    });
    const { texts } = parse(drawing);
    expect(texts).toContain(name);
    expect(texts).toContainEqual(expect.stringMatching(/^reviewer of the payments.*…$/));
    expect(drawing).toContain("<desc>completed, 1 run, 1 step</desc>");
  });

  test("says so where no durations are known", () => {
    const steps = ["a", "b"].map((step_id) => ({ step_id, label: "node" }));
    const drawing = svg.render({
      session_id: "s",
      conversations: [{ conversation_id: "r", steps }],
    });
    expect(parse(drawing).texts).toContain("s · no durations are known: drawn in order");
    expect(svg.render(seedSession)).not.toContain("drawn in order");
    // What is not drawn leaves a gap in the order, which nobody waited.
    const unseen = Array.from({ length: 9 }, (_, n) => ({ step_id: `g${n}`, label: "generic" }));
    const [first, last] = steps;
    const gap = first && last ? [first, ...unseen, last] : [];
    const withGap = { session_id: "s", conversations: [{ conversation_id: "r", steps: gap }] };
    expect(svg.render(withGap)).not.toContain("long wait");
  });

  test("names in its legend what it shows and nothing else", () => {
    const words = parse(svg.render(seedSession)).texts.filter((text) =>
      /^(rests on.*|long wait.*|error)$/.test(text),
    );
    expect(words).toEqual(["rests on: declared by the program"]);
  });
});

/** Pairs of bars, with their labels, that share a row and touch; and whatever leaves the drawing. */
function overlaps(session: Session): readonly string[] {
  const timeline = layOutTimeline(session, flowGraph(session), 0);
  const rows = new Map<number, Bar[]>();
  for (const bar of timeline.bars.values()) rows.set(bar.y, [...(rows.get(bar.y) ?? []), bar]);
  return [...rows.values()].flatMap((bars) => {
    const extents = bars.map(extentOf).sort(([one], [other]) => one - other);
    return extents.flatMap(([left, right, name], at) => {
      const next = extents[at + 1];
      if (next !== undefined && next[0] < right - 0.01) return [`${name} over ${next[2]}`];
      return left < 0 || right > timeline.width ? [`${name} leaves the drawing`] : [];
    });
  });
}

function extentOf({
  x,
  width,
  label,
  labelAt,
  id,
}: Bar): [left: number, right: number, name: string] {
  const text = emWidth(label) * measures.fontSize;
  if (labelAt === "before") return [x - 15 - text, x + width, id];
  return [x, x + (labelAt === "after" && label !== "" ? width + 5 + text : Math.max(width, 0)), id];
}
