import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { expect, test } from "vitest";
import {
  chat,
  dir,
  eachInItsDirectory,
  sessionsIn,
  tracerWith,
  under,
} from "../testing/flow-of-spans.ts";
import { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";

eachInItsDirectory();

test("several processors with one directory keep each span once", async () => {
  const processors = [new ThoughtFlowSpanProcessor({ dir }), new ThoughtFlowSpanProcessor({ dir })];
  const tracer = tracerWith(...processors);
  tracer.startSpan("chat", { attributes: { ...chat, "session.id": "talk" } }, ROOT_CONTEXT).end();
  for (const processor of processors) await processor.forceFlush();
  expect(sessionsIn(dir)[0]?.totals).toMatchObject({ steps: 1, model_calls: 1 });
  expect(readdirSync(join(dir, ".journal")).filter((name) => name.endsWith(".tfj"))).toHaveLength(
    1,
  );
});

test("two writers of one session never overwrite each other's steps", async () => {
  const tracer = tracerWith(new ThoughtFlowSpanProcessor({ dir }));
  tracer
    .startSpan(
      "chat",
      { attributes: { ...chat, "session.id": "shared", "thoughtflow.step.id": "first" } },
      ROOT_CONTEXT,
    )
    .end();
  new ThoughtFlowSpanProcessor({ dir }).flushSync("process_exit");
  const { execFileSync } = await import("node:child_process");
  const program = `
    import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
    import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
    const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor({ dir: ${JSON.stringify(dir)} })] });
    provider.getTracer("other").startSpan("chat", { attributes: ${JSON.stringify({ ...chat, "session.id": "shared", "thoughtflow.step.id": "second" })} }).end();
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
  });
  const [session] = sessionsIn(dir);
  expect(session?.conversations.flatMap((run) => run.steps.map((step) => step.step_id))).toEqual([
    "first",
    "second",
  ]);
});

test("a process that joins another's trace, and the one that began it, keep each other's steps", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan("invoke_agent", { attributes: chat }, ROOT_CONTEXT);
  const { traceId, spanId } = root.spanContext();
  const step = (id: string) => ({
    ...chat,
    "session.id": `s_${traceId}`,
    "thoughtflow.step.id": id,
  });
  tracer.startSpan("chat", { attributes: step("here") }, under(root)).end();
  const { execFileSync } = await import("node:child_process");
  const program = `
    import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
    import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
    import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
    const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor({ dir: ${JSON.stringify(dir)} })] });
    const caller = trace.setSpanContext(ROOT_CONTEXT, ${JSON.stringify({ traceId, spanId, traceFlags: 1, isRemote: true })});
    provider.getTracer("other").startSpan("chat", { attributes: ${JSON.stringify(step("there"))} }, caller).end();
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
  });
  root.end();
  await processor.forceFlush();
  const steps = sessionsIn(dir).flatMap((session) =>
    session.conversations.flatMap((run) => run.steps.map((one) => one.step_id)),
  );
  expect(steps).toEqual(expect.arrayContaining(["here", "there"]));
});
