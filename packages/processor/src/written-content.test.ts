import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { attachContent } from "@thoughtflow/tracing/internal";
import { expect, test } from "vitest";
import { chat, dir, eachInItsDirectory, sessionsIn, tracerWith } from "../testing/flow-of-spans.ts";
import { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";

eachInItsDirectory();

test("with content off no word reaches the disk", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir, captureContent: false });
  const tracer = tracerWith(processor);
  const span = tracer.startSpan(
    "step",
    {
      attributes: {
        "thoughtflow.step.label": "node",
        "session.id": "talk",
        "gen_ai.input.messages": '"PLANTED"',
      },
    },
    ROOT_CONTEXT,
  );
  attachContent(span, { values: { "thoughtflow.step.started": { secret: "PLANTED" } } });
  span.recordException(new RangeError("PLANTED"));
  span.setStatus({ code: 2, message: "PLANTED" });
  span.end();
  await processor.forceFlush();
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(4);
  for (const { parentPath, name } of files) {
    expect(readFileSync(join(parentPath, name), "utf8"), name).not.toContain("PLANTED");
  }
});

test("secrets are masked in every place of a span before anything is written", async () => {
  const secret = `sk-proj-${"a1B2".repeat(12)}`;
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const span = tracer.startSpan(
    `call ${secret}`,
    {
      attributes: {
        ...chat,
        "session.id": "talk",
        url: `https://x/?key=${secret}`,
        [`limits.${secret}`]: 3,
      },
    },
    ROOT_CONTEXT,
  );
  attachContent(span, { values: { "thoughtflow.step.started": { text: `use ${secret}` } } });
  span.recordException(new Error(`401 for ${secret}`));
  span.setStatus({ code: 2, message: `bad key ${secret}` });
  span.addLink({ context: span.spanContext(), attributes: { note: secret } });
  span.end();
  await processor.forceFlush();
  for (const { parentPath, name } of readdirSync(dir, {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile())) {
    expect(readFileSync(join(parentPath, name), "utf8"), name).not.toContain(secret);
  }
  expect(JSON.stringify(sessionsIn(dir))).toContain("[redacted:");
});
