import { type Context, context, DiagLogLevel, diag, trace } from "@opentelemetry/api";
import {
  NodeTracerProvider,
  SamplingDecision,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, expect, test, vi } from "vitest";
import {
  activeRun,
  activeSession,
  activeStep,
  assistantMessage,
  memoryWrite,
  recordStep,
  recordThought,
  score,
  snapshot,
  userMessage,
  withRun,
  withSession,
  withStep,
  withToolCall,
} from "./index.ts";
import { beforeFirstSpan } from "./internal.ts";

afterEach(() => {
  trace.disable();
  context.disable();
  diag.disable();
});

/** A program that uses all there is, and what it computes. */
async function program(): Promise<unknown[]> {
  const error = new Error("the program's own");
  return withSession({ title: "t" }, (session) => {
    session.setTitle("u");
    session.end();
    return withRun({ agent: "a", initialState: 1 }, async (run) => {
      run.setFinalState(2);
      const policy = snapshot({ kind: "policy", content: "x" });
      const step = recordStep({ label: "generic", dependsOn: [policy, userMessage("hi")] });
      step.dependsOn(policy);
      step.setOutput(1);
      step.setStatus("ok");
      step.recordError(error);
      memoryWrite({ key: "k", value: 1 });
      recordThought({ thought: "hm", relatedTo: step });
      score({ target: { session: "s" }, name: "n", value: 1 });
      assistantMessage("bye");
      activeRun()?.setFinalState(1);
      activeSession()?.setTags([]);
      activeStep()?.setOutput(1);
      const thrown = await withStep({ label: "node" }, async () => {
        throw error;
      }).catch((caught: unknown) => caught);
      return [withToolCall({ name: "f", args: {} }, () => 7), thrown === error];
    });
  });
}

test("without a provider everything runs and gives the same", async () => {
  expect(await program()).toEqual([7, true]);
  expect(withRun({ id: "own" }, ({ id }) => id)).toBe("own");
  expect(withSession({ id: "own" }, ({ id }) => id)).toBe("own");
  expect(withStep({ label: "node", id: "own" }, ({ id }) => id)).toBe("own");
});

test("the program goes on when every processor and exporter throws", async () => {
  const broken = (): never => {
    throw new Error("telemetry is broken");
  };
  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd: broken,
    forceFlush: broken,
    shutdown: broken,
  };
  const error = vi.fn();
  const silent = (): void => {};
  const logger = { error, warn: silent, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, DiagLogLevel.ERROR);
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
  expect(await program()).toEqual([7, true]);
  expect(error).toHaveBeenCalledWith(
    "thoughtflow: telemetry failed, the program goes on",
    expect.objectContaining({ message: "telemetry is broken" }),
  );
  trace.disable();
  context.disable();
  new NodeTracerProvider({ spanProcessors: [{ ...processor, onStart: broken }] }).register();
  expect(await program()).toEqual([7, true]);
});

test("where the sampler says no, the program runs the same and its ids are there all the same", async () => {
  const sampler = {
    shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD }),
    toString: () => "never",
  };
  new NodeTracerProvider({ sampler }).register();
  expect(await program()).toEqual([7, true]);
  expect(withRun({}, ({ id }) => id)).toMatch(/^r_[0-9a-f]{16}$/);
});

test("a set-up waits for the first tracing call and is asked once", async () => {
  const prepare = vi.fn();
  beforeFirstSpan(prepare);
  expect(prepare).not.toHaveBeenCalled();
  await program();
  expect(prepare).toHaveBeenCalledOnce();
});

test("a run or a step that can't be opened once its span has begun leaves no span open", async () => {
  const open = new Set<string>();
  const names: string[] = [];
  const processor: SpanProcessor = {
    onStart: (span) => {
      names.push(span.name);
      open.add(span.spanContext().spanId);
    },
    onEnd: (span) => open.delete(span.spanContext().spanId),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
  const broken = (): never => {
    throw new Error("the program's own");
  };
  const step = {
    label: "node" as const,
    get input() {
      return broken();
    },
  };
  expect(withStep(step, () => 7)).toBe(7);
  expect(withRun({}, () => withStep(step, () => 8))).toBe(8);
  // Nothing can be derived from the context of this program.
  const bare: Context = { getValue: () => undefined, setValue: broken, deleteValue: broken };
  vi.spyOn(context, "active").mockReturnValue(bare);
  expect(withRun({ agent: "a" }, () => 9)).toBe(9);
  vi.restoreAllMocks();
  expect(names).toEqual(["invoke_agent", "node", "invoke_agent", "node", "invoke_agent a"]);
  expect(open).toEqual(new Set());
});
