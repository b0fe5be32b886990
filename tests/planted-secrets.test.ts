import { beforeAll, describe, expect, test } from "vitest";
import { answers } from "./privacy/answers.mjs";
import { PLACES, plant } from "./privacy/plants.mjs";
import { type Sinks, sinksOf } from "./privacy/sinks.ts";

const places = Object.keys(PLACES);
/** Where the text of a place may stand. */
const reaching = (...ends: readonly string[]): string[] =>
  Object.entries(PLACES).flatMap(([place, end]) => (ends.includes(end) ? [place] : []));

type Kind = "keys" | "words";

function run(kind: Kind, environment: Readonly<Record<string, string>>): Promise<Sinks> {
  process.env["PLANTS"] = kind;
  return sinksOf(answers(), { PLANTS: kind, ...environment });
}

/** The places whose needle is in a sink. */
const foundIn = (kind: Kind, sink: string): string[] =>
  places.filter((place) => sink.includes(plant(place, kind).needle));

/** By sink, which is not empty. */
const leaks = (kind: Kind, sinks: Sinks) =>
  Object.entries(sinks).flatMap(([name, sink]) =>
    foundIn(kind, sink).map((place) => `${name}: ${place}`),
  );

const EVERYWHERE = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "SPAN_AND_EVENT" };

test("there are 40 places, each with a needle of its own", () => {
  const needles = (kind: Kind) => new Set(places.map((place) => plant(place, kind).needle)).size;
  expect([places.length, needles("keys"), needles("words")]).toEqual([40, 40, 40]);
});

describe("with content everywhere and masking off", () => {
  let sinks: Sinks;
  beforeAll(async () => {
    sinks = await run("keys", { ...EVERYWHERE, THOUGHTFLOW_REDACT: "false" });
  });

  test("each secret is where it was planted: the search would find it", () => {
    expect(foundIn("keys", sinks.json)).toEqual(reaching("document"));
    expect(foundIn("keys", sinks.journal)).toEqual(reaching("document", "records"));
    expect(foundIn("keys", sinks.OTLP)).toEqual(reaching("document", "records"));
    expect(foundIn("keys", sinks.logs).length).toBeGreaterThan(25);
    expect(foundIn("keys", sinks.d2).length).toBeGreaterThan(5);
    expect(foundIn("keys", sinks.svg).length).toBeGreaterThan(5);
  });
});

test("with masking, content is everywhere and no secret anywhere", async () => {
  const sinks = await run("keys", EVERYWHERE);
  expect(leaks("keys", sinks)).toEqual([]);
  expect(sinks.OTLP).toContain("[redacted: ");
  expect(sinks.json).toContain("[redacted: ");
  expect(sinks.logs).toContain("[redacted: ");
});

test("with content off, no word of it is anywhere, not even in errors", async () => {
  const sinks = await run("words", { THOUGHTFLOW_CAPTURE_CONTENT: "false" });
  expect(leaks("words", sinks)).toEqual([]);
  expect(sinks.logs).toBe("");
  expect(sinks.json).toContain('"model_calls"');
  expect(sinks.OTLP).toContain("gen_ai.operation.name");
});

describe("each switch is its own", () => {
  const holding = async (environment: Readonly<Record<string, string>>) => {
    const { json, OTLP, logs } = await run("words", environment);
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
