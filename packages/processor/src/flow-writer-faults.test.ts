import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DiagLogLevel, diag, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type Span } from "@opentelemetry/sdk-trace-node";
import { type FileSystem, realFileSystem } from "@thoughtflow/journal";
import type { Session } from "@thoughtflow/schema";
import { failEachCall } from "@thoughtflow/testkit";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFlowWriter, type FlowWriter } from "./flow-writer.ts";

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

interface Flow {
  readonly place: string;
  readonly writer: FlowWriter;
  /** A step of the session "s" that has ended. */
  step(id: string, parent?: Span): void;
  start(id: string, parent?: Span): Span;
  session(): Session;
}

function flowOn(fs: FileSystem = realFileSystem): Flow {
  const place = join(dir, `flow-${written++}`);
  const writer = createFlowWriter({ dir: place, captureContent: true, sessionId: undefined, fs });
  const provider = new NodeTracerProvider({
    spanProcessors: [
      {
        onStart: (span, context) => writer.started(span, context),
        onEnd: (span) => writer.ended(span),
        forceFlush: () => writer.flush(),
        shutdown: async () => {},
      },
    ],
  });
  const start = (id: string, parent?: Span) =>
    provider.getTracer("test").startSpan(
      "execute_tool look",
      {
        attributes: {
          "session.id": "s",
          "thoughtflow.step.id": id,
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.call.result": `"${id}"`,
        },
      },
      parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
    ) as Span;
  return {
    place,
    writer,
    start,
    step: (id, parent) => start(id, parent).end(),
    session: () => JSON.parse(readFileSync(join(place, "s.json"), "utf8")),
  };
}

function idsIn(session: Session): readonly string[] {
  return session.conversations.flatMap(({ steps }) => steps.map(({ step_id }) => step_id)).sort();
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const ids = ["a", "b", "c", "d"];

// A sample: letting each of them fail in turn takes longer than a test may.
test.each([
  ["EIO", 13],
  ["ENOSPC", 17],
])(
  "no step is missing in the file, and nothing is thrown, when a single call fails with %s",
  { timeout: 30_000 },
  async (code, every) => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const count = await failEachCall(realFileSystem, { code, every }, async ({ fs }) => {
      const flow = flowOn(fs);
      for (const id of ids) {
        flow.step(id);
        if (id === "b") await flow.writer.flush();
      }
      // What could not be written is tried again when the process ends.
      flow.writer.flushSync("process_exit");
      expect(idsIn(flow.session()).filter((id) => ids.includes(id))).toEqual(ids);
      expect(readdirSync(flow.place).filter((name) => name.endsWith(".lease"))).toEqual([]);
    });
    expect(count).toBeGreaterThan(50);
    expect(rejections).toEqual([]);
  },
);

test("no step is missing in the file when a single call fails while a process ends", {
  timeout: 30_000,
}, async () => {
  const count = await failEachCall(realFileSystem, { code: "EIO", every: 7 }, async ({ fs }) => {
    const flow = flowOn(fs);
    for (const id of ids) flow.step(id);
    flow.writer.flushSync("process_exit");
    expect(idsIn(flow.session()).filter((id) => ids.includes(id))).toEqual(ids);
  });
  expect(count).toBeGreaterThan(30);
});

test("a logger of the app that throws is no matter", async () => {
  const fails = () => {
    throw new Error("the app's logger");
  };
  const logger = { error: fails, warn: fails, info: fails, debug: () => {}, verbose: fails };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  onTestFinished(() => diag.disable());
  const flow = flowOn({
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

test("20,000 steps that end in one tick are all in the file", { timeout: 30_000 }, async () => {
  const flow = flowOn();
  const root = flow.start("root");
  for (let n = 0; n < 20_000; n++) flow.step(`step ${n}`, root);
  root.end();
  await flow.writer.flush();
  expect(idsIn(flow.session()).filter((id) => /^step \d+$/.test(id))).toHaveLength(20_000);
});

test("a span that the app lets go without ending it holds no memory, and its run is abandoned", async () => {
  const flow = flowOn();
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
    { timeout: 20_000, interval: 50 },
  );
  const state = readdirSync(join(flow.place, ".journal")).find((name) =>
    name.endsWith("state.json"),
  );
  const { spans } = JSON.parse(readFileSync(join(flow.place, ".journal", state ?? ""), "utf8"));
  expect(spans).toEqual({ started: 101, ended: 0, collected: 100, open: 1 });
  kept.end();
  await flow.writer.flush();
  expect(flow.session().conversations.at(-1)?.status).toBe("completed");
});
