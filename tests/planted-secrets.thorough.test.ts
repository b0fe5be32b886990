import { CONTENT_FIELDS } from "@thoughtflow/tracing/internal";
import { describe, expect, test } from "vitest";
import { shownWith, wronglyShown } from "./privacy/fields-shown.ts";
import { foundIn, reaching, runWith } from "./privacy/planted-run.ts";

/** Every set of the six kinds of content. */
const subsets = Array.from({ length: 2 ** CONTENT_FIELDS.length }, (_, bits) =>
  CONTENT_FIELDS.filter((_, at) => (bits >> at) & 1),
);

const AT_ONCE = 4;

test("each of the 64 sets of kinds lets its places into files, spans and logs, and none of the others anywhere", async () => {
  const everything = await shownWith({ files: true, spans: true, logs: true });
  expect(everything.json).toEqual(reaching("document"));
  expect(everything.OTLP).toEqual(reaching("document", "records"));
  expect([...everything["other files"], ...everything.output]).toEqual([]);
  const wrong: string[] = [];
  // In one run the three switches stand differently; over all runs each of them has stood as each set says.
  const waiting = subsets.map((files, at) => ({
    files,
    spans: subsets[subsets.length - 1 - at] ?? [],
    logs: subsets[(at + 21) % subsets.length] ?? [],
  }));
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const found = wronglyShown(await shownWith(next), everything, next);
      wrong.push(...found.map((line) => `${JSON.stringify(next)}: ${line}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(wrong).toEqual([]);
}, 600_000);

describe("each switch is its own", () => {
  const holding = async (environment: Readonly<Record<string, string>>) => {
    const { json, OTLP, logs } = await runWith("words", environment);
    return [json, OTLP, logs].map((sink) => foundIn("words", sink).length > 20);
  };

  test.each([
    [{}, [true, false, false]],
    [
      {
        THOUGHTFLOW_CAPTURE_CONTENT: "false",
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "SPAN_ONLY",
      },
      [false, true, false],
    ],
    [
      {
        THOUGHTFLOW_CAPTURE_CONTENT: "false",
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "EVENT_ONLY",
      },
      [false, false, true],
    ],
  ])("%o: files, spans, logs", async (environment, expected) => {
    expect(await holding(environment)).toEqual(expected);
  });
});
