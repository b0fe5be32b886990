import type { Run, Session, Step } from "@thoughtflow/schema";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { at, call, said, tool } from "../fixtures/agent-calls.ts";
import { gantt } from "./gantt.ts";
import { workflowRenderers } from "./workflow-renderers.ts";

const agents = [
  { agent_id: "main", name: "boss" },
  { agent_id: "sub", name: "worker", parent_agent_id: "main", spawned_by: "one/t1" },
  { agent_id: "title", name: "side: Write a title" },
];

const run = (id: string, trigger: string | undefined, steps: readonly Step[]): Run => ({
  conversation_id: id,
  ...(trigger !== undefined && { trigger }),
  steps: [...steps],
});

const sessionOf = (...conversations: Run[]): Session => ({
  session_id: "s",
  agents,
  conversations,
});

/** What stands in the row of the user: where, the words beside it, and the tooltip. */
const turnsIn = (drawing: string): readonly (readonly [x: number, words: string, tip: string])[] =>
  [
    ...drawing.matchAll(
      /<g><title>([^<]*)<\/title>(?:<path class="turn-line"[^>]*>)?<circle class="turn" cx="([\d.]+)"[^>]*>(?:<text[^>]*>([^<]*))?/g,
    ),
  ].map(([, tip = "", x, words = ""]) => [Number(x), words, tip]);

const barsIn = (drawing: string): readonly number[] =>
  [...drawing.matchAll(/<rect class="a\d" x="([\d.]+)" y="[\d.]+" width/g)].map(([, x]) =>
    Number(x),
  );

test("a mark stands above the first request of each turn of the user, with what was said", () => {
  const drawing = gantt.render(
    sessionOf(
      run("one", "user_message", [
        { ...said("c0", "Write a title for: go on"), agent_id: "title" },
        call("c0", "title", 0),
        said("c1", "<system-reminder>be brief</system-reminder>Build <it>."),
        call("c1", "main", 3),
        tool("t1", "c1", "main"),
        said("c2", "Do a part of it."),
        call("c2", "sub", 6),
      ]),
      run("two", "event", [
        said("c3", "<task-notification>done</task-notification>"),
        call("c3", "main", 60),
      ]),
      run("three", "user_message", [said("c4", "Now release."), call("c4", "main", 90)]),
      run("four", "user_message", [call("c5", "main", 120, { payload_started: { model: "m" } })]),
    ),
  );
  const [, first, , , third, fourth] = barsIn(drawing).toSorted((one, other) => one - other);
  expect(turnsIn(drawing)).toEqual([
    [first, "Build &lt;it&gt;.", "user: Build &lt;it&gt;."],
    [third, "Now release.", "user: Now release."],
    [fourth, "", "user: what the user said is not known"],
  ]);
  expect(drawing).toContain(">user</text>");
  expect(drawing).toMatch(
    /<g [^>]*><circle class="turn"[^>]*\/><text [^>]*>the user spoke<\/text>/,
  );
});

test("a mark after a summary of what was said before has what the user says now", () => {
  const summary = "This session is being continued from a previous conversation. Summary: …";
  const drawing = gantt.render(
    sessionOf(
      run("one", "user_message", [said("c1", "Build it."), call("c1", "main", 0)]),
      run("two", "user_message", [
        said("c2", summary),
        { ...said("c2b", "Now release."), step_id: "c2b.said" },
        call("c2", "main", 60, { payload_started: { model: "m", input: ["c2.u1", "c2b.said"] } }),
      ]),
    ),
  );
  expect(turnsIn(drawing).map(([, words]) => words)).toEqual(["Build it.", "Now release."]);
});

test("a session in which no user spoke has no row for that, and so has one whose runs an agent began", () => {
  const silent = sessionOf(run("one", undefined, [call("c1", "main", 0, { payload_started: {} })]));
  const asked = sessionOf(run("one", "agent", [said("c1", "Warm up."), call("c1", "main", 0)]));
  for (const session of [silent, asked])
    expect(gantt.render(session)).not.toMatch(/>(?:user|the user spoke)<\/text>/);
});

test("turns in one place share a mark, and words that have room on the left alone stand there", () => {
  const turn = (id: string, start: number, words: string): Run =>
    run(id, undefined, [said(id, words), call(id, "main", start)]);
  const many = Array.from({ length: 300 }, (_, n) => turn(`r${n}`, n * 10, `Turn ${n}`));
  const crowded = turnsIn(gantt.render(sessionOf(...many)));
  expect(crowded.length).toBeGreaterThan(100);
  expect(crowded.map(([, , tip]) => tip)).toContain("2 turns of the user: Turn 0 | Turn 1");
  const late = gantt.render(
    sessionOf(turn("a", 0, "Go."), turn("b", 4, "Thanks, that is all for now, goodbye to you.")),
  );
  const [, [x = 0, words = ""] = []] = turnsIn(late);
  expect(words).toBe("Thanks, that is all for now, goodbye to you.");
  expect(late).toContain(`<text class="before" x="${x - 8}"`);
});

test("words stand behind their mark where they have room there, so that nobody takes them for those of the mark before", () => {
  const turn = (id: string, start: number, words: string): Run =>
    run(id, undefined, [said(id, words), call(id, "main", start)]);
  const words = "Does the result deliver? This gate checks whether it does what was intended.";
  // Nothing that the user began fills the time between.
  const calls = Array.from({ length: 100 }, (_, nth) => call(`e${nth}`, "main", nth));
  const between = run("between", "event", calls);
  const drawing = gantt.render(
    sessionOf(turn("a", 0, "1"), turn("b", 70, words), turn("c", 90, "yes"), between),
  );
  const [, [, shown = ""] = []] = turnsIn(drawing);
  expect(shown).toMatch(/^Does the .*…$/);
  expect(drawing).not.toContain('class="before"');
  const near = gantt.render(
    sessionOf(turn("a", 0, "1"), turn("b", 87, words), turn("c", 90, "yes"), between),
  );
  const [, [, cut = ""] = []] = turnsIn(near);
  expect(near).toContain('class="before"');
  expect(cut).toMatch(/^Does the .{1,25}…$/);
});

test("a chart of a workflow document has the turns, too", () => {
  const session = sessionOf(
    run("one", "user_message", [said("c1", "Build it."), call("c1", "main", 0)]),
    run("two", "event", [said("c2", "<note>done</note>"), call("c2", "main", 60)]),
    run("three", "user_message", [said("c3", "Now release."), call("c3", "main", 90)]),
    run("four", "agent", [said("c4", "Warm up."), call("c4", "main", 120)]),
  );
  const workflow = workflowOfSessions([session], { extractionTimestamp: at(0) });
  expect(turnsIn(workflowRenderers.gantt.render(workflow))).toEqual(turnsIn(gantt.render(session)));
});
