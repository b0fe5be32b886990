import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { openJournal } from "@thoughtflow/journal";
import type { FlowRecord, Session, SpanRecord } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
import { prepareBeside } from "./prepare-beside.ts";

const SPANS = 60_000;

function toolCall(n: number): SpanRecord {
  return toolCallRecord(n, "large", { n });
}

/** The document of a session with these records, written beside, and how many threads that took. */
async function writtenBeside(
  records: Iterable<FlowRecord>,
  spans: number,
): Promise<{ readonly session: Session; readonly text: string; readonly threads: number }> {
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
    const about = { records: spans, spans, bytes: 0 };
    const files = await prepareBeside({ ...task, ...about, prices: undefined }, true);
    journal.closeSync();
    const document = files.find(({ path }) => path.endsWith("large.json"));
    const text = readFileSync(document?.temporary ?? "", "utf8");
    return { session: JSON.parse(text), text, threads };
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

/** In runs of fifty, each a trace. */
function inRuns(n: number): FlowRecord {
  const first = n - (n % 50);
  const traceId = String(first).padStart(32, "0");
  return { ...toolCall(n), traceId, ...(n > first && { parentSpanId: toolCall(first).spanId }) };
}

test("a long session of many runs is made stretch by stretch, in as much memory as any other, and says the same", async () => {
  const records = Array.from({ length: SPANS }, (_, n) => inRuns(n));
  const { text, threads } = await writtenBeside(records, SPANS);
  expect(threads).toBe(1);
  const [session] = assemble(records);
  expect(text === (session && canonicalJson(session))).toBe(true);
});

test("a text that its thread has no room for does not end the process", async () => {
  const words = "слово ".repeat(8_000_000);
  const large = { ...toolCall(1), content: { "gen_ai.tool.call.result": JSON.stringify(words) } };
  const { session, threads } = await writtenBeside([toolCall(0), large as FlowRecord], 2);
  expect(session.conversations.flatMap(({ steps }) => steps)).toHaveLength(4);
  expect(threads).toBe(2);
});
