import { expect, test } from "vitest";
import { importedInTurn } from "../../../testing/imported-in-turn.ts";

type Message = readonly [seconds: number, role: "user" | "assistant", text: string];

const NAME = "rollout-2026-09-09T00-00-00-thread.jsonl";

/** A rollout of one thread, as it stands in each of the places where somebody went on with it. */
function rollout(...said: readonly Message[]): string {
  const at = (seconds: number) => new Date(Date.UTC(2026, 8, 9) + seconds * 1_000).toISOString();
  const items = said.map(([seconds, role, text]) => {
    const content = [{ type: role === "user" ? "input_text" : "output_text", text }];
    const payload = { type: "message", role, content };
    return { timestamp: at(seconds), type: "response_item", payload };
  });
  return [{ timestamp: at(0), type: "session_meta", payload: { id: "thread" } }, ...items]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

const shared: readonly Message[] = [
  [1, "user", "One?"],
  [2, "assistant", "One."],
];
const left = rollout(...shared, [3, "user", "Left?"], [4, "assistant", "Left."]);
const right = rollout(...shared, [13, "user", "Right?"], [14, "assistant", "Right."]);

test("two files of one thread that went apart have all their calls, and what both tell once", async () => {
  const both = { [`left/${NAME}`]: left, [`right/${NAME}`]: right };
  const once = await importedInTurn("codex", both);
  expect(once.sums).toEqual({ thread: [3, 3, undefined, 0] });
  const again = await importedInTurn("codex", both, both);
  expect(again.sums).toEqual(once.sums);
  const afterOne = await importedInTurn("codex", { [NAME]: right }, both);
  expect(afterOne.sums).toEqual(once.sums);
  const afterTheFirst = await importedInTurn("codex", { [NAME]: left }, both);
  expect(afterTheFirst.sums).toEqual(once.sums);
  // One after the other, in any order, they lose as little.
  const apart = await importedInTurn("codex", { [NAME]: left }, { [NAME]: right });
  expect(apart.sums).toEqual(once.sums);
  const otherwise = await importedInTurn("codex", { [NAME]: right }, { [NAME]: left });
  expect(otherwise.sums).toEqual(once.sums);
});
