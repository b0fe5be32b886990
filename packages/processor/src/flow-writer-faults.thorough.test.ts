import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eachFailingCall } from "../testing/each-failing-call.ts";
import { flowOn, idsIn } from "../testing/flow-on.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-faults-"));
  vi.spyOn(process, "emitWarning").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

test.for([
  ["EIO", false, undefined],
  ["ENOSPC", false, undefined],
  ["EMFILE", true, undefined],
  ["EDQUOT", true, undefined],
  ["EROFS", false, undefined],
  ["ESTALE", false, undefined],
  ["EIO", true, 500],
] as const)(
  "no step is missing, whichever call fails with %s (while the process ends: %s; bytes a write takes: %s)",
  async ([code, isEnding, mostBytes]) => {
    const options = { code, ...(mostBytes !== undefined && { mostBytes }) };
    expect(await eachFailingCall(dir, isEnding, options)).toBeGreaterThan(30);
  },
);

test("20,000 steps that end in one tick are all in the file", async () => {
  const flow = flowOn(join(dir, "flow"));
  const root = flow.start("root");
  for (let n = 0; n < 20_000; n++) flow.step(`step ${n}`, root);
  root.end();
  await flow.writer.flush();
  expect(idsIn(flow.session()).filter((id) => /^step \d+$/.test(id))).toHaveLength(20_000);
});
