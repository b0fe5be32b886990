import { jsonOfContent } from "@thoughtflow/schema/content-list";
import { expect, test } from "vitest";
import { appendRecords, deriveSessions, overview, type Store } from "../src/index.ts";
import { recordsOfSession } from "../src/session-records.ts";
import { weatherRun } from "./stories.ts";

/** What a store does with an answer that is larger than most databases are. `open` gives an empty one. */
export function largeAnswerSuite(open: () => Promise<Store>): void {
  test("an answer of 100 MB of JSON comes back byte for byte", { timeout: 300_000 }, async () => {
    const item = { text: "\u0000 \ud800 ‘quoted’ \\ %_ 𝄞".repeat(40), n: 1.5 };
    const text = JSON.stringify(Array.from({ length: 75_000 }, () => item));
    expect(Buffer.byteLength(text)).toBeGreaterThan(100e6);
    const message = JSON.stringify({ role: "assistant", parts: [{ type: "text", content: text }] });
    const records = weatherRun("1", "ann").map((record, at) =>
      at === 2
        ? { ...record, content: { ...record.content, "gen_ai.output.messages": [message] } }
        : record,
    );
    const store = await open();
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
}
