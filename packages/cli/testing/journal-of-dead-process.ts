import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";

/** Leaves a journal as that of a process that ended a minute ago, with the name of its writer made unreadable. */
export function journalOfDeadProcess(dir: string, records: readonly FlowRecord[]): string {
  const journal = openJournal({ dir });
  for (const record of records) journal.append(record);
  journal.closeSync();
  const path = join(dir, ".journal", `${journal.writer}.tfj`);
  const bytes = readFileSync(path);
  bytes[20] = 0;
  writeFileSync(path, bytes);
  const then = Date.now() / 1000 - 60;
  utimesSync(path, then, then);
  return path;
}

/** A tool call of a session: ended, or still open. */
export function stepRecord(
  type: "span_start" | "span_end",
  session: string,
  id: string,
  more: Partial<FlowRecord> = {},
): FlowRecord {
  return {
    type,
    traceId: "a".repeat(32),
    spanId: Buffer.from(id).toString("hex").padStart(16, "0").slice(-16),
    name: "step",
    kind: "internal",
    startTimeUnixNano: "1700000000000000000",
    ...(type === "span_end" && { endTimeUnixNano: "1700000001000000000" }),
    status: { code: "unset" },
    attributes: {
      "session.id": session,
      "thoughtflow.step.id": id,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
    },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
    ...more,
  } as FlowRecord;
}
