import { context } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect, test, vi } from "vitest";
import * as one from "./index.ts";
import * as oneInside from "./internal.ts";

test("two copies of the package are one: context, content, redactor and switches", async () => {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  vi.resetModules();
  const two = await import("./index.ts");
  const twoInside = await import("./internal.ts");
  expect(two.withRun).not.toBe(one.withRun);

  twoInside.setSpanContentCapture(true);
  twoInside.setRedactor({
    value: () => "redacted by two",
    text: (text) => text,
    key: (name) => name,
  });
  one.withSession({ id: "sess_1" }, () =>
    one.withRun({ id: "run_1", agent: "a" }, () => {
      const policy = one.snapshot({ kind: "policy", content: "Be kind." });
      expect(two.snapshot({ kind: "policy", content: "Be kind." })).toBe(policy);
      expect(twoInside.sessionOf(context.active())?.sessionId).toBe("sess_1");
      expect(twoInside.runOf(context.active())?.runId).toBe("run_1");
      expect(one.recordThought({ thought: "first" }).number).toBe(1);
      expect(two.recordThought({ thought: "second" }).number).toBe(2);
      two.recordStep({ label: "node", name: "n", input: "text", dependsOn: policy });
    }),
  );
  const span = exporter.getFinishedSpans().find(({ name }) => name === "node n");
  const content = span && oneInside.contentOf(span);
  expect(content && oneInside.contentAttributesOf(content)).toEqual({
    "thoughtflow.step.started": '"redacted by two"',
  });
  expect(span?.attributes).toMatchObject({
    "session.id": "sess_1",
    "thoughtflow.step.started": '"redacted by two"',
  });
});
