import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { pi } from "./pi.ts";

const NAME = "2026-11-27T00-57-27-985Z_01a21a81-dcb0-7416-8197-09b966b0def3.jsonl";
const KILLED = readFileSync(
  fileURLToPath(new URL(`../../../fixtures/pi-killed-scripted/${NAME}`, import.meta.url)),
  "utf8",
);

async function statusesOf(...records: readonly object[]) {
  const text = KILLED + records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const { records: spans } = await recordsOfText(pi, text);
  return assemble(spans).flatMap(({ conversations }) => conversations.map(({ status }) => status));
}

const said = (nth: number, message: object) => ({
  ...{ type: "message", id: `m${nth}`, parentId: null, message },
  timestamp: new Date(Date.UTC(2026, 10, 27, 1, 0, nth)).toISOString(),
});
const answer = {
  role: "assistant",
  content: [{ type: "text", text: "Done." }],
  stopReason: "stop",
};

test("a run is abandoned that was killed while its model was to answer what a tool gave", async () => {
  expect(await statusesOf()).toEqual(["abandoned"]);
});

test("a run is done where an answer follows, whatever somebody said by then", async () => {
  expect(await statusesOf(said(1, answer))).toEqual(["completed"]);
  const more = said(1, { role: "user", content: "And the rest." });
  expect(await statusesOf(more, said(2, answer))).toEqual(["completed", "completed"]);
});
