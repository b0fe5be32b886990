import { expect, test } from "vitest";
import { fromExactJson } from "./exact-json.ts";

test("texts and numbers may be millions of characters long", () => {
  const digits = "1".repeat(10_000_000);
  const text = "a\n".repeat(10_000_000);
  expect(fromExactJson(`{"text":${JSON.stringify(text)},"id":${digits}}`)).toEqual({
    text,
    id: digits,
  });
  expect(fromExactJson(`[" ${digits}a"]`)).toEqual([` ${digits}a`]);
});
