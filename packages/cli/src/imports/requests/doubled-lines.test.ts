import { assemble } from "@thoughtflow/assemble";
import { describe, expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import type { LoggedRequest } from "../../../testing/logged-lines.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";
import type { ImportFormat } from "../import-format.ts";

async function callsIn(format: ImportFormat, lines: readonly object[]) {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { records, warnings } = await recordsOfText(format, text);
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  const calls = steps.filter(({ label }) => label === "assistant_call");
  return { calls: calls.length, warnings };
}

describe.each(REQUEST_LOGS)("%s", (_, format, lineOf) => {
  const asked = { system: "main", said: ["quota"] };
  const first = { ...asked, from: 0.123, to: 1 };
  const linesOf = (...requests: readonly LoggedRequest[]) => requests.map(lineOf);

  test("a line without an answer that stands there twice is one request", async () => {
    const lines = linesOf(first, { ...asked, from: 2.5, to: 3 });
    const { calls, warnings } = await callsIn(format, [...lines, ...lines]);
    expect(calls).toBe(2);
    expect(warnings.join("\n")).toContain("exchange that is logged twice");
  });

  test("the same question at another time is another request", async () => {
    const lines = linesOf(first, { ...first, from: 0.124 });
    expect((await callsIn(format, lines)).calls).toBe(2);
  });

  test("several may be asked the same in one second: where times tell no more than that, each line is a request", async () => {
    const [line] = linesOf({ ...asked, from: 0, to: 1 });
    expect((await callsIn(format, [line, line] as object[])).calls).toBe(2);
  });
});
