import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import type { FlowRecord, Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
import { prepareBeside } from "./prepare-beside.ts";

const SPANS = 60_000;

function toolCall(n: number): FlowRecord {
  return toolCallRecord(n, "large", { n });
}

/** The document of a session with these records, written beside, and how many threads that took. */
async function writtenBeside(
  records: Iterable<FlowRecord>,
  spans: number,
): Promise<{ readonly session: Session; readonly threads: number }> {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-beside-"));
  let threads = 0;
  const count = (): number => threads++;
  process.on("worker", count);
  try {
    const journal = openJournal({ dir });
    for (const record of records) journal.append(record);
    await journal.flush();
    const { writer } = journal;
    const task = { dir, writer, sessionId: "large", isShared: false, known: undefined };
    const files = await prepareBeside({ ...task, records: spans, spans, prices: undefined }, true);
    journal.closeSync();
    const document = files.find(({ path }) => path.endsWith("large.json"));
    return { session: JSON.parse(readFileSync(document?.temporary ?? "", "utf8")), threads };
  } finally {
    process.off("worker", count);
    rmSync(dir, { recursive: true, force: true });
  }
}

test("a session that needs more memory than its thread was given is written all the same", async () => {
  const records = Array.from({ length: SPANS }, (_, n) => toolCall(n));
  const { session, threads } = await writtenBeside(records, 4_000);
  expect(session.totals?.tool_calls).toBe(SPANS);
  expect(threads).toBeGreaterThan(1);
});

test("a text that its thread has no room for does not end the process", async () => {
  const words = "слово ".repeat(8_000_000);
  const large = { ...toolCall(1), content: { "gen_ai.tool.call.result": JSON.stringify(words) } };
  const { session, threads } = await writtenBeside([toolCall(0), large as FlowRecord], 2);
  expect(session.conversations.flatMap(({ steps }) => steps)).toHaveLength(4);
  expect(threads).toBe(2);
});
