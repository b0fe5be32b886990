import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import type { Session } from "@thoughtflow/schema";
import { expect, onTestFinished, test } from "vitest";
import { stepRecord } from "../../cli/testing/step-record.ts";
import { createSessionWriter } from "./session-writer.ts";

/** Records steps of the session "s" and writes its files; answers how often a document was set aside. */
async function record(dir: string, ids: readonly string[]): Promise<number> {
  const journal = openJournal({ dir });
  const now = () => performance.now();
  const onFailure = (problem: unknown) => expect.unreachable(String(problem));
  const sessions = createSessionWriter({ dir, journal, now, onFailure });
  for (const id of ids) sessions.recorded("s", journal.append(stepRecord("span_end", "s", id)));
  await journal.flush();
  await sessions.flush();
  journal.closeSync();
  return sessions.counters.documentsOfLostJournals;
}

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "lost-journals-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

function stepsIn(path: string): number {
  const session: Session = JSON.parse(readFileSync(path, "utf8"));
  return session.conversations.reduce((sum, { steps }) => sum + steps.length, 0);
}

const loseJournals: Readonly<Record<string, (folder: string) => void>> = {
  deleted: (folder) => rmSync(folder, { recursive: true }),
  "cut off": (folder) => {
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".tfj")))
      truncateSync(join(folder, name), 100);
  },
};

test.each(Object.entries(loseJournals))(
  "a document whose journals somebody has %s is kept when its session goes on",
  async (_what, lose) => {
    const dir = directory();
    expect(await record(dir, ["1", "2", "3"])).toBe(0);
    lose(join(dir, ".journal"));
    expect(await record(dir, ["4"])).toBe(1);
    expect(stepsIn(join(dir, "s.json"))).toBe(1);
    const [kept = "", ...others] = readdirSync(join(dir, ".quarantine"));
    expect([kept, others]).toEqual([expect.stringMatching(/^\d+-s\.json$/), []]);
    expect(stepsIn(join(dir, ".quarantine", kept))).toBe(3);
  },
);

test("a document is replaced by what goes on from it, and by what another process knows beside it", async () => {
  const dir = directory();
  expect(await record(dir, ["1", "2", "3"])).toBe(0);
  expect(await record(dir, ["4"])).toBe(0);
  expect(stepsIn(join(dir, "s.json"))).toBe(4);
  expect(readdirSync(dir)).not.toContain(".quarantine");
});
