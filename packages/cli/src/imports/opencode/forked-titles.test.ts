import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { opencode } from "./opencode.ts";

const BEGAN = Date.UTC(2026, 5, 1);

/** What was said, each by a time in seconds. */
const said = (role: string, text: string, second: number) => ({
  info: {
    ...{ role, time: { created: BEGAN + second * 1_000, completed: BEGAN + second * 1_000 + 500 } },
    ...(role === "assistant" && { modelID: "m", tokens: { input: 100, output: 10 } }),
  },
  parts: [{ type: "text", text }],
});
const HISTORY = [said("user", "One?", 1), said("assistant", "1.", 2)];
const MORE = [said("user", "Two?", 21), said("assistant", "2.", 22)];

function session(
  id: string,
  title: string,
  second: number,
  messages: readonly ReturnType<typeof said>[],
) {
  const info = { id, title, version: "1.18.33", time: { created: BEGAN + second * 1_000 } };
  // Copies have ids of their own.
  const own = messages.map(({ info, parts }, nth) => ({
    info: { ...info, id: `msg_${id}_${nth}` },
    parts,
  }));
  return sourceText(JSON.stringify({ info, messages: own }), `${id}.json`);
}

async function importOf(...files: readonly ReturnType<typeof session>[]) {
  const sessions = assemble((await recordsOf(opencode, files)).records);
  return sessions.map(({ session_id: id, totals, conversations }) => [
    id,
    totals?.model_calls,
    conversations
      .flatMap(({ steps }) => steps)
      .flatMap(({ edges = [] }) => edges.filter(({ type }) => type === "continues")).length,
  ]);
}

test("a fork of a version before 2.0 that nobody went on with has no calls where its origin is here", async () => {
  const origin = session("ses_a", "Count", 0, HISTORY);
  const fork = session("ses_b", "Count (fork #1)", 10, HISTORY);
  expect(await importOf(fork, origin)).toEqual([["ses_a", 1, 0]]);
  expect(await importOf(fork)).toEqual([["ses_b", 1, 0]]);
});

test("one that somebody went on with, and a fork of that, go on from the answers that they copied last", async () => {
  const origin = session("ses_a", "Count", 0, HISTORY);
  const fork = session("ses_b", "Count (fork #1)", 10, [...HISTORY, ...MORE]);
  const further = [...HISTORY, ...MORE, said("user", "Three?", 41), said("assistant", "3.", 42)];
  const again = session("ses_c", "Count (fork #2)", 30, further);
  expect(await importOf(again, fork, origin)).toEqual([
    ["ses_a", 1, 0],
    ["ses_b", 1, 1],
    ["ses_c", 1, 1],
  ]);
});

test("a session that has only the title of one keeps its calls", async () => {
  const origin = session("ses_a", "Count", 0, HISTORY);
  const other = session("ses_b", "Count (fork #1)", 10, MORE);
  expect(await importOf(origin, other)).toEqual([
    ["ses_a", 1, 0],
    ["ses_b", 1, 0],
  ]);
});
