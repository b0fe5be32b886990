import { expect, test } from "vitest";
import { recordsOfText } from "../../testing/imported-records.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { codex } from "./codex/codex.ts";
import type { ImportFormat } from "./import-format.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const time = (n: number) => new Date(Date.UTC(2026, 0, 1) + n).toISOString();
const linesOf = (records: readonly object[]) =>
  records.map((one) => JSON.stringify(one)).join("\n");

const toolUse = (n: number) => ({ type: "tool_use", id: `t${n}`, name: "Bash", input: { n } });

function claudeRecord(n: number, type: "user" | "assistant", content: unknown) {
  const said = { role: type, content };
  const message = type === "user" ? said : { ...said, id: "m", model: "claude" };
  const parentUuid = n === 0 ? null : `u${n - 1}`;
  return { type, uuid: `u${n}`, parentUuid, sessionId: "s", timestamp: time(n), message };
}

const codexItem = (payload: object) => ({ timestamp: time(0), type: "response_item", payload });

const SHAPES: readonly (readonly [string, ImportFormat, (count: number) => string])[] = [
  [
    "results of one answer's tools, a record each",
    claudeCode,
    (count) =>
      linesOf([
        claudeRecord(0, "user", "Go."),
        claudeRecord(1, "assistant", numbers(count).map(toolUse)),
        ...numbers(count).map((n) =>
          claudeRecord(n + 2, "user", [
            { type: "tool_result", tool_use_id: `t${n}`, content: "ok" },
          ]),
        ),
      ]),
  ],
  [
    "parts of one answer, a record each",
    claudeCode,
    (count) =>
      linesOf([
        claudeRecord(0, "user", "Go."),
        ...numbers(count).map((n) => claudeRecord(n + 1, "assistant", [toolUse(n)])),
      ]),
  ],
  [
    "results of one answer's calls in a rollout",
    codex,
    (count) =>
      linesOf([
        { timestamp: time(0), type: "session_meta", payload: { id: "s" } },
        codexItem({
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "Go." }],
        }),
        ...numbers(count).map((n) =>
          codexItem({ type: "function_call", call_id: `c${n}`, name: "f", arguments: "{}" }),
        ),
        ...numbers(count).map((n) =>
          codexItem({ type: "function_call_output", call_id: `c${n}`, output: "ok" }),
        ),
      ]),
  ],
];

/** Seconds of the processor that reading it takes, the least of some. */
async function cost(format: ImportFormat, text: string): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    await recordsOfText(format, text);
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
  }
  return Math.min(...seconds);
}

test.each(SHAPES)(
  "four times as many %s take some four times as long",
  async (_, format, textOf) => {
    await cost(format, textOf(1_000));
    const [few, many] = [await cost(format, textOf(5_000)), await cost(format, textOf(20_000))];
    expect(many / few).toBeLessThan(8);
  },
);
