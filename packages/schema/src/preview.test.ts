import { expect, test } from "vitest";
import { isShort, preview } from "./preview.ts";

test("a text of 200 characters is its own preview, a longer one ends in an ellipsis", () => {
  const short = "x".repeat(200);
  expect([preview(short), isShort(short)]).toEqual([short, true]);
  expect([preview(`${short}y`), isShort(`${short}y`)]).toEqual([`${"x".repeat(199)}…`, false]);
});

test("a preview never ends in half a character", () => {
  const text = `${"x".repeat(198)}😀😀`;
  expect(preview(text)).toBe(`${"x".repeat(198)}…`);
});
