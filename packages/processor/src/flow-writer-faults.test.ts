import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { type FileSystem, realFileSystem } from "@thoughtflow/journal";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { eachFailingCall } from "../testing/each-failing-call.ts";
import { countsIn, type Flow, flowOn } from "../testing/flow-on.ts";

let dir: string;
let written = 0;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-faults-"));
  // One warning for each directory that can't be written is what users see.
  vi.spyOn(process, "emitWarning").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

function flowHere(fs: FileSystem = realFileSystem): Flow {
  return flowOn(join(dir, `flow-${written++}`), { fs });
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

// A sample: `npm run test:thorough` lets each of them fail.
test.each([
  ["EIO", false, 13],
  ["ENOSPC", false, 17],
  ["EIO", true, 7],
])(
  "no step is missing in the file, and nothing is thrown, when a single call fails with %s (while the process ends: %s)",
  async (code, isEnding, every) => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    expect(await eachFailingCall(dir, isEnding, { code, every })).toBeGreaterThan(30);
    expect(rejections).toEqual([]);
  },
);

test("a logger of the app that throws is no matter", async () => {
  const fails = () => {
    throw new Error("the app's logger");
  };
  const logger = { error: fails, warn: fails, info: fails, debug: () => {}, verbose: fails };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  onTestFinished(() => diag.disable());
  const flow = flowHere({
    ...realFileSystem,
    openSync: () => {
      throw Object.assign(new Error("no"), { code: "EACCES" });
    },
  });
  flow.step("a");
  await flow.writer.flush();
  flow.writer.flushSync("process_exit");
  expect(existsSync(join(flow.place, "s.json"))).toBe(false);
});

test("a span that the app lets go without ending it holds no memory, and its run is abandoned", async () => {
  const flow = flowHere();
  for (let n = 0; n < 100; n++) flow.start(`leaked ${n}`);
  const kept = flow.start("kept");
  await vi.waitFor(
    async () => {
      collectGarbage();
      await flow.writer.flush();
      const { conversations } = flow.session();
      expect(conversations.map(({ status_reason }) => status_reason)).toEqual([
        ...Array.from({ length: 100 }, () => "never_ended"),
        undefined,
      ]);
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(countsIn(flow.place)).toEqual({ started: 101, ended: 0, collected: 100, open: 1 });
  kept.end();
  await flow.writer.flush();
  expect(flow.session().conversations.at(-1)?.status).toBe("completed");
});

test("spans that the app lets go before their run ends are abandoned when it does, which is said once", async () => {
  const flow = flowHere();
  const root = flow.start("root");
  for (let n = 0; n < 100; n++) flow.start(`leaked ${n}`, root);
  await vi.waitFor(
    async () => {
      collectGarbage();
      await flow.writer.flush();
      expect(countsIn(flow.place)).toEqual({ started: 101, ended: 0, collected: 100, open: 1 });
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(flow.session().conversations[0]?.status).toBe("running");
  root.end();
  await flow.writer.flush();
  const { revision, conversations, completeness } = flow.session();
  // A start for each, an end, and one decision.
  expect(revision).toBe(103);
  expect(completeness?.open_steps).toHaveLength(100);
  const [run] = conversations;
  expect(run?.steps.filter(({ status }) => status === "abandoned")).toHaveLength(100);
});
