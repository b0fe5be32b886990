import { createRedactor } from "@thoughtflow/redaction";
import { afterEach, expect, test } from "vitest";
import { processCounts } from "./process-counts.ts";
import { currentRedactor, setRedactor, toContentJson } from "./redaction.ts";

const MIB = 1024 * 1024;
const long = "word ".repeat(13 * MIB);

afterEach(() => setRedactor(createRedactor()));

test("a text of more than 64 Mi characters is a note of its length, and counted", () => {
  const before = processCounts()["dropped_content"]?.["texts"] ?? 0;
  const note = `[omitted: ${long.length} characters]`;
  expect(toContentJson(long, "a")).toBe(JSON.stringify(note));
  expect(currentRedactor().text(long, "a")).toBe(note);
  expect(toContentJson({ kept: "words", long }, "a")).toBe(
    JSON.stringify({ kept: "words", long: note }),
  );
  expect(processCounts()["dropped_content"]?.["texts"]).toBe(before + 3);
});

test("one of less is kept", () => {
  const text = "word ".repeat(2 * MIB);
  expect(toContentJson({ text }, "a")).toBe(JSON.stringify({ text }));
});

test("a value that no string can hold is a note as a whole", () => {
  setRedactor({ ...createRedactor(), value: (value) => value });
  const part = "x".repeat(MIB - 1);
  expect(
    toContentJson(
      Array.from({ length: 600 }, () => part),
      "a",
    ),
  ).toBe('"[omitted: too many characters]"');
});
