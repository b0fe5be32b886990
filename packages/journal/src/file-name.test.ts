import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNameOf } from "./file-name.ts";

/** Strings that are close to one another in every way that a file system may confuse. */
const nasty = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...'aAbBcCoOnN019_-.~/\\: %*?"<>|\0\n\r\t',
      "é",
      "e\u0301",
      "\uD800",
      "\uDFFF",
      "😀",
      "\u202E",
      "／",
      "~0041",
      "~u1",
      "~h",
      "..",
    ),
    maxLength: 12,
  }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "blobs",
    "BLOBS",
    "Latest",
    "adaptations",
    "con",
    "COM1",
    "nul",
    "con.json",
    "a.",
  ),
  fc.string({ unit: fc.constantFrom("a", "A", "\uD800", "\uDBFF"), minLength: 90, maxLength: 300 }),
);

/** What the most forgetful file system makes of a name. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

describe("fileNameOf", () => {
  it.each([
    ["session-1_b", "session-1_b"],
    ["", "~empty"],
    ["../../etc/passwd", "~002e~002e~002f~002e~002e~002fetc~002fpasswd"],
    ["C:\\x", "C~003a~005cx~u1"],
    ["a\0b", "a~0000b"],
    [".journal", "~002ejournal"],
    ["-rf", "~002drf"],
    ["latest", "~006catest"],
    ["NUL", "~004eUL~u3"],
    ["Sess", "Sess~u1"],
    ["sESS", "sESS~ue"],
    ["é", "~00e9"],
    ["e\u0301", "e~0301"],
    ["😀", "~d83d~de00"],
    ["a~0041", "a~007e0041"],
    [
      "x".repeat(10_000),
      `${"x".repeat(60)}~h${createHash("sha256").update("x\0".repeat(10_000)).digest("hex").slice(0, 32)}`,
    ],
  ])("names %j", (id, name) => {
    expect(fileNameOf(id)).toBe(name);
  });

  it("gives different ids different names on every file system", () => {
    fc.assert(
      fc.property(fc.uniqueArray(nasty, { minLength: 2, maxLength: 40 }), (ids) => {
        expect(new Set(ids.map((id) => folded(fileNameOf(id)))).size).toBe(ids.length);
      }),
      { numRuns: 500 },
    );
  });

  it("gives names that are short, plain and stay in their directory", () => {
    const directory = resolve("/flow");
    fc.assert(
      fc.property(nasty, (id) => {
        const name = fileNameOf(id);
        expect(name).toMatch(/^[A-Za-z0-9_~][A-Za-z0-9_~-]{0,185}$/);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d|blobs|adaptations|latest)$/i);
        expect(resolve(directory, `${name}.json`)).toBe(join(directory, `${name}.json`));
        expect(fileNameOf(id)).toBe(name);
      }),
    );
  });
});
