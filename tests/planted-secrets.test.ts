import { beforeAll, describe, expect, test } from "vitest";
import { foundIn, type Kind, places, reaching, runWith } from "./privacy/planted-run.ts";
import { plant } from "./privacy/plants.mjs";
import type { Sinks } from "./privacy/sinks.ts";

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
    sinks = await runWith("keys", { ...EVERYWHERE, THOUGHTFLOW_REDACT: "false" });
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
  const sinks = await runWith("keys", EVERYWHERE);
  expect(leaks("keys", sinks)).toEqual([]);
  expect(sinks.OTLP).toContain("[redacted: ");
  expect(sinks.json).toContain("[redacted: ");
  expect(sinks.logs).toContain("[redacted: ");
});

test("with content off, no word of it is anywhere, not even in errors", async () => {
  const sinks = await runWith("words", { THOUGHTFLOW_CAPTURE_CONTENT: "false" });
  expect(leaks("words", sinks)).toEqual([]);
  expect(sinks.logs).toBe("");
  expect(sinks.json).toContain('"model_calls"');
  expect(sinks.OTLP).toContain("gen_ai.operation.name");
});
