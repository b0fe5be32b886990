import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { openJournal } from "@thoughtflow/journal";
import type { FlowRecord, Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { prepareBeside } from "./prepare-beside.ts";

const SPANS = 60_000;

function toolCall(n: number): FlowRecord {
  return {
    type: "span_end",
    traceId: "1".repeat(32),
    spanId: (n + 1).toString(16).padStart(16, "0"),
    name: `execute_tool ${n}`,
    kind: "internal",
    startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(n) * 1_000_000n),
    endTimeUnixNano: String(1_700_000_000_000_500_000n + BigInt(n) * 1_000_000n),
    status: { code: "unset" },
    attributes: { "gen_ai.operation.name": "execute_tool", "session.id": "large" },
    content: { "gen_ai.tool.call.result": JSON.stringify({ n }) },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}

test("a session that needs more memory than its thread was given is written all the same", async () => {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-beside-"));
  const threads: Worker[] = [];
  const count = (thread: Worker): number => threads.push(thread);
  process.on("worker", count);
  try {
    const journal = openJournal({ dir });
    for (let n = 0; n < SPANS; n++) journal.append(toolCall(n));
    await journal.flush();
    const { writer } = journal;
    const task = { dir, writer, sessionId: "large", isShared: false, known: undefined };
    const files = await prepareBeside({ ...task, spans: 4_000, prices: undefined }, true);
    const document = files.find(({ path }) => path.endsWith("large.json"));
    const session: Session = JSON.parse(readFileSync(document?.temporary ?? "", "utf8"));
    expect(session.totals?.tool_calls).toBe(SPANS);
    expect(threads.length).toBeGreaterThan(1);
    journal.closeSync();
  } finally {
    process.off("worker", count);
    rmSync(dir, { recursive: true, force: true });
  }
});
