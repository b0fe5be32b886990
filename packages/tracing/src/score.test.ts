import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect, test } from "vitest";
import { score, withRun } from "./index.ts";

test("a score is the conventions' evaluation event on the session it is about, wherever it is given", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  withRun({ session: "another" }, () =>
    score({
      target: { session: "sess_1", run: "run_1", step: "s3", edge: "s2" },
      name: "relevance",
      value: 0.8,
      label: "good",
      source: "human",
      author: "ann",
      explanation: "to the point",
    }),
  );
  const [span] = exporter.getFinishedSpans();
  expect(span?.name).toBe("thoughtflow.session");
  expect(span?.attributes).toEqual({ "session.id": "sess_1" });
  expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      "gen_ai.evaluation.result",
      {
        "gen_ai.evaluation.name": "relevance",
        "gen_ai.evaluation.score.value": 0.8,
        "gen_ai.evaluation.score.label": "good",
        "gen_ai.evaluation.explanation": "to the point",
        "thoughtflow.score.source": "human",
        "thoughtflow.score.author": "ann",
        "thoughtflow.run.id": "run_1",
        "thoughtflow.step.id": "s3",
        "thoughtflow.score.edge": "s2",
      },
    ],
  ]);
});

test("a score says something", () => {
  expect(() => score({ target: { session: "s" }, name: "empty" })).toThrow(
    new TypeError('score: "empty" needs a "value" or a "label"'),
  );
});
