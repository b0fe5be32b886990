import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { openaiLog } from "./openai-log.ts";
import { isOpenaiLog } from "./recognise.ts";

// The form is that of LiteLLM 1.110.2 (litellm/proxy/schema.prisma, litellm/proxy/spend_tracking/spend_tracking_utils.py).
const rows = readFileSync(
  fileURLToPath(new URL("../../../fixtures/specimens/openai-log/spend.jsonl", import.meta.url)),
  "utf8",
);

async function stepsOf(text: string) {
  const { records, warnings } = await recordsOf(openaiLog, [sourceText(text, "spend.jsonl")]);
  const [session] = assemble(records);
  return { session, steps: session?.conversations.flatMap((run) => run.steps) ?? [], warnings };
}

test("rows of what LiteLLM spent are calls, with what was said where the proxy kept it", async () => {
  const { session, steps } = await stepsOf(rows);
  expect(session?.session_id).toBe("spend");
  const calls = steps.filter(({ label }) => label === "assistant_call");
  expect(
    calls.map(({ usage, cost, status, error }) => [
      usage?.input_tokens,
      usage?.output_tokens,
      usage?.["cache_read_input_tokens"],
      cost?.total,
      status,
      error?.type,
    ]),
  ).toEqual([
    [20, 4, undefined, "0.001", "ok", undefined],
    [31, 9, undefined, "0.002", "ok", undefined],
    [50, 20, 32, "0.003", "ok", undefined],
    [undefined, undefined, undefined, undefined, "error", "RateLimitError"],
    [undefined, undefined, undefined, undefined, "error", "429"],
  ]);
  expect(steps.find(({ label }) => label === "tool_output")?.payload_completed).toMatchObject({
    result: "Rain.",
  });
  // The second row's times have no zone.
  expect(calls.map((call) => call.started_at)).toEqual([
    "2026-03-01T10:00:00.500Z",
    "2026-03-01T10:00:03.000Z",
    "2026-03-01T10:00:05.000Z",
    "2026-03-01T10:00:07.000Z",
    "2026-03-01T10:00:09.000Z",
  ]);
});

test("a list of such rows, as its API gives them, is such a log", async () => {
  const list = rows
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(isOpenaiLog(list)).toBe(true);
  const { steps } = await stepsOf(JSON.stringify(list));
  expect(steps.filter(({ label }) => label === "assistant_call")).toHaveLength(5);
});
