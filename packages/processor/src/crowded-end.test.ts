import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import type { Session, SpanRecord } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { journalOfDeadProcess } from "../../journal/testing/journal-of-dead-process.ts";
import { recoverFlows } from "./recover-flows.ts";
import { createSessionWriter, type SessionWriter } from "./session-writer.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-crowded-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function toolCall(n: number): SpanRecord {
  return {
    type: "span_end",
    traceId: n.toString(16).padStart(32, "0"),
    spanId: n.toString(16).padStart(16, "0"),
    name: "execute_tool look",
    kind: "internal",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    status: { code: "unset" },
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "session.id": "s",
      "thoughtflow.step.id": `step ${n}`,
    },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: {},
  };
}

/** A process that records one step of the session and ends; a look at others' journals takes it a second each. */
function endAfterStep(n: number): SessionWriter {
  const journal = openJournal({ dir });
  const onFailure = vi.fn();
  let seconds = 0;
  const now = () => 1_000 * seconds++;
  const sessions = createSessionWriter({ dir, journal, now, worked: () => 0, onFailure });
  sessions.recorded("s", journal.append(toolCall(n)));
  journal.flushSync();
  sessions.flushSync();
  journal.closeSync();
  expect(onFailure).not.toHaveBeenCalled();
  return sessions;
}

function steps(): readonly (string | undefined)[] {
  const session: Session = JSON.parse(readFileSync(join(dir, "s.json"), "utf8"));
  return session.conversations.flatMap((run) => run.steps.map(({ step_id }) => step_id)).sort();
}

test("at an end without time to look at all journals what is known here is written, never over what others wrote, and the rest is left", async () => {
  journalOfDeadProcess(dir, [toolCall(1)]);
  journalOfDeadProcess(dir, [toolCall(2)]);
  const first = endAfterStep(3);
  expect(steps()).toEqual(["step 3"]);
  expect([first.isSettled, first.counters.documentsLeft]).toEqual([false, 1]);

  await recoverFlows(dir);
  expect(steps()).toEqual(["step 1", "step 2", "step 3"]);

  journalOfDeadProcess(dir, [toolCall(4)]);
  const second = endAfterStep(5);
  expect(steps()).toEqual(["step 1", "step 2", "step 3"]);
  expect([second.isSettled, second.counters.documentsLeft]).toEqual([false, 1]);
});
