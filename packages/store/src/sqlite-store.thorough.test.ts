import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonOfContent } from "@thoughtflow/schema/content-list";
import { expect, onTestFinished, test } from "vitest";
import { lossesUnderKills } from "../testing/kill-writers.ts";
import { weatherRun } from "../testing/stories.ts";
import { appendRecords, deriveSessions, openStore, overview } from "./index.ts";
import { recordsOfSession } from "./session-records.ts";

test("kills of two writers and two that derive in one file lose nothing and double nothing", {
  timeout: 900_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), "store-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "flows.db");
  await (await openStore(path)).close();
  expect(await lossesUnderKills(path, 40, 23)).toEqual([]);
});

test("an answer of 100 MB of JSON comes back byte for byte", async () => {
  const item = { text: "\u0000 \ud800 ‘quoted’ \\ %_ 𝄞".repeat(40), n: 1.5 };
  const text = JSON.stringify(Array.from({ length: 75_000 }, () => item));
  expect(Buffer.byteLength(text)).toBeGreaterThan(100e6);
  const message = JSON.stringify({ role: "assistant", parts: [{ type: "text", content: text }] });
  const records = weatherRun("1", "ann").map((record, at) =>
    at === 2
      ? { ...record, content: { ...record.content, "gen_ai.output.messages": [message] } }
      : record,
  );
  const store = await openStore(":memory:");
  await appendRecords(store, records);
  expect((await deriveSessions(store)).failed).toEqual([]);
  const outputs = (await recordsOfSession(store, "session-1")).flatMap((record) => {
    const content = "content" in record ? record.content?.["gen_ai.output.messages"] : undefined;
    return content === undefined ? [] : jsonOfContent(content);
  });
  expect(outputs.filter((output) => output === `[${message}]`)).toHaveLength(1);
  const { rows } = await overview(store);
  expect(rows).toMatchObject([{ runs: 1, model_calls: 2, cost_usd: "0.0001165" }]);
  await store.close();
});
