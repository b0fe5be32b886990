import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentKeys } from "../../testing/conversion-fates.ts";
import { specimenSession } from "../../testing/specimen-session.ts";
import { CONVERSIONS, fateOf, lossLines } from "./conversion-losses.ts";
import { TARGETS, type TargetName } from "./targets.ts";

const targets = Object.keys(TARGETS) as TargetName[];

test("what a conversion leaves out of a session is counted, and named if asked", () => {
  expect(lossLines("csv", specimenSession, true)).toEqual([
    "Left out: session schema_version, revision, title, tags, status, status_reason, reopened, origin, confidence, started_at, ended_at, user, resource, totals, completeness, warnings, conflicts; agent agent_id, ordinal, name, models, started_at, ended_at, totals, parent_agent_id, spawned_by, origin; run run_id, name, origin, channel, status, status_reason, started_at, ended_at, duration_ms, trace_id, span_id, agent, user, trigger, previous_run, initial_state, final_state, error, totals, attributes; step ended_at, origin, trace_id, span_id, wait_ms, outer_span_id, aliases, attributes, parent_step_id, error; edge to, type, origin, evidence, confidence.",
    "In part: step payload_started, payload_completed, usage, cost.",
  ]);
  expect(lossLines("csv", specimenSession, false)).toEqual([
    "Left out: 62 keys of the document, and of 4 a part; convert --verbose names them, --to otlp or atif keeps all.",
  ]);
});

test.each([true, false])(
  "nothing is told of what keeps all, and of what is made for reading (%j)",
  (isVerbose) => {
    expect(lossLines("atif", specimenSession, isVerbose)).toEqual([]);
    expect(lossLines("mermaid", specimenSession, isVerbose)).toEqual([]);
  },
);

test("of keys that are not ours some are named, and the rest are counted", () => {
  const foreign = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`foreign${n}`, n]));
  const [line = ""] = lossLines("csv", { ...specimenSession, ...foreign }, true);
  expect(line).toMatch(/, foreign0, .* and \d{5} more; agent /);
  expect(line.length).toBeLessThan(2_000);
});

const PAGE = new URL("../../../../docs/conversions.md", import.meta.url);
const TABLE = /(?<=<!-- table: conversions -->\n)[\s\S]*(?=<!-- end -->)/;
const MARKS = { kept: "●", part: "◐", lost: "" } as const;

test("the table of the page of conversions is the one that losses are told by", async () => {
  const rows = documentKeys().map(
    ([part, key]) =>
      `| ${part} \`${key}\` | ${targets.map((to) => MARKS[fateOf(to, part, key)]).join(" | ")} |`,
  );
  const whats = targets.map((to) => `- \`${to}\`: ${CONVERSIONS[to].what}`);
  const table = [
    ...whats,
    "",
    `| | ${targets.join(" | ")} |`,
    `|---|${":-:|".repeat(targets.length)}`,
    ...rows,
    "",
  ].join("\n");
  const page = readFileSync(PAGE, "utf8").replace(TABLE, () => table);
  await expect(page).toMatchFileSnapshot("../../../../docs/conversions.md");
});
