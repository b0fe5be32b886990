import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "../openai-log/openai-log.ts";

const TOOLS = [{ type: "function", function: { name: "look", parameters: {} } }];

function line(second: number, words: string, status = 200): unknown {
  const message = { role: "assistant", content: `Answer to ${words}` };
  return {
    timestamp: `2026-03-01T10:00:0${second}Z`,
    request: { model: "m", messages: [{ role: "user", content: words }], tools: TOOLS },
    response: {
      status,
      body:
        status === 200
          ? { id: `c${second}`, object: "chat.completion", choices: [{ index: 0, message }] }
          : { error: { type: "overloaded", message: "Overloaded" } },
    },
  };
}

async function statusesOf(...lines: readonly unknown[]): Promise<readonly unknown[]> {
  const text = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
  const [session] = assemble((await recordsOfText(openaiLog, text)).records);
  return [session?.status, ...(session?.conversations ?? []).map(({ status }) => status)];
}

test("a run has failed where its last request did", async () => {
  expect(await statusesOf(line(1, "first"), line(2, "second", 529))).toEqual([
    "error",
    "completed",
    "error",
  ]);
});

test("a run that was answered after all is completed", async () => {
  expect(await statusesOf(line(1, "first", 529), line(2, "first"))).toEqual([
    "completed",
    "completed",
  ]);
});

/** A streamed answer that broke off after its first words: with an error, or without a word. */
function broken(second: number, words: string, error?: object): unknown {
  const chunk = { id: `c${second}`, object: "chat.completion.chunk" };
  const events = [
    { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "The answer" } }] },
    ...(error === undefined ? [] : [{ error }]),
  ];
  const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return { ...(line(second, words) as object), response: { status: 200, body: stream } };
}

test("what was asked again as its answer broke off is one agent's, not so what was asked again after an answer", async () => {
  const callsOf = async (...lines: readonly unknown[]) => {
    const text = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
    const [session] = assemble((await recordsOfText(openaiLog, text)).records);
    return session?.agents?.map(({ totals }) => totals?.model_calls);
  };
  const again = line(2, "first");
  expect(await callsOf(broken(1, "first"), again)).toEqual([2]);
  expect(await callsOf(broken(1, "first", { type: "overloaded" }), again)).toEqual([2]);
  expect(await callsOf(line(1, "first"), again)).toEqual([1, 1]);
});
