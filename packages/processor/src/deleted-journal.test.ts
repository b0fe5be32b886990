import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Flow, flowOn, idsIn } from "../testing/flow-on.ts";

let dir: string;
let flow: Flow;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-deleted-"));
  flow = flowOn(dir);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A step that the clock has written into the journal, which somebody then takes away. */
async function stepInLostJournal(takeAway: (path: string) => void): Promise<void> {
  flow.step("a");
  const folder = join(dir, ".journal");
  const isWritten = () =>
    existsSync(folder) &&
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes("execute_tool"));
  await expect.poll(isWritten, { interval: 10, timeout: 10_000 }).toBe(true);
  // The journal hears of its write a turn later.
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const name of readdirSync(folder)) takeAway(join(folder, name));
}

function lostRecords(): unknown {
  const folder = join(dir, ".journal");
  const name = readdirSync(folder).find((file) => file.endsWith("state.json")) ?? "";
  return JSON.parse(readFileSync(join(folder, name), "utf8")).deleted;
}

test.each([
  ["deleted while it runs", rmSync],
  ["deleted at its end", rmSync],
  ["cut off while it runs", truncateSync],
  ["cut off at its end", truncateSync],
])(
  "a session whose journal was %s before it had a document is told as partial, by what comes later",
  async (when, takeAway) => {
    await stepInLostJournal((path) => takeAway(path));
    flow.step("b");
    if (when.endsWith("while it runs")) await flow.writer.flush();
    flow.writer.flushSync("process_exit");
    const session = flow.session();
    expect(idsIn(session)).toEqual(["b", "b_out"]);
    expect(session.completeness).toEqual({ status: "partial" });
    expect(session.warnings).toEqual([
      {
        code: "journal_deleted",
        message:
          "a journal with earlier records of this session was deleted or cut off while its process ran: steps may be missing",
      },
    ]);
    expect(session.status).toBe("completed");
    expect(lostRecords()).toBe(1);
  },
);

test("a document that is there stays as it is until its session goes on, which is told then", async () => {
  for (const id of ["a", "b", "c"]) flow.step(id);
  await flow.writer.flush();
  const before = readFileSync(join(dir, "s.json"), "utf8");
  const folder = join(dir, ".journal");
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await flow.writer.flush();
  expect(readFileSync(join(dir, "s.json"), "utf8")).toBe(before);
  flow.step("d");
  await flow.writer.flush();
  expect(idsIn(flow.session())).toEqual(["d", "d_out"]);
  expect(flow.session().completeness).toEqual({ status: "partial" });
  // It said more than is left.
  expect(readdirSync(join(dir, ".quarantine"))).toHaveLength(1);
  flow.writer.flushSync("process_exit");
});
