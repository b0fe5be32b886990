import type { Span } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { defaultRedactor } from "@thoughtflow/redaction";
import { afterEach, expect, test } from "vitest";
import { withRun, withToolCall } from "./index.ts";
import { attachContent, exposeContent, setRedactor, setSpanContentCapture } from "./internal.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

afterEach(() => {
  setSpanContentCapture(false);
  setRedactor(defaultRedactor);
  exporter.reset();
});

function callTool(): void {
  withRun({ agent: "a", initialState: { turn: 1 } }, () =>
    withToolCall({ name: "add", args: '{"a":1}' }, () => 3),
  );
}

test("spans show their content only when told to", () => {
  callTool();
  setSpanContentCapture(true);
  callTool();
  const shown = exporter.getFinishedSpans().map(({ attributes }) => ({
    started:
      attributes["gen_ai.tool.call.arguments"] ?? attributes["thoughtflow.run.initial_state"],
    result: attributes["gen_ai.tool.call.result"],
  }));
  expect(shown).toEqual([
    { started: undefined, result: undefined },
    { started: undefined, result: undefined },
    { started: '{"a":1}', result: "3" },
    { started: '{"turn":1}', result: undefined },
  ]);
});

test("a span that shows no attributes gets the text at once", () => {
  const given: unknown[] = [];
  const span = { setAttribute: (name: string, text: string) => given.push(name, text) };
  attachContent(span, { values: { "gen_ai.tool.call.result": [1] } });
  exposeContent(span as unknown as Span);
  expect(given).toEqual(["gen_ai.tool.call.result", "[1]"]);
});

test("the text is made when an exporter reads it, once for all of them", () => {
  let made = 0;
  setRedactor({
    value: (value) => {
      made += 1;
      return value;
    },
    text: (text) => text,
    key: (name) => name,
  });
  setSpanContentCapture(true);
  callTool();
  expect(made).toBe(0);
  for (let reader = 0; reader < 3; reader += 1) {
    for (const { attributes } of exporter.getFinishedSpans()) JSON.stringify({ ...attributes });
  }
  expect(made).toBe(3);
});
