import { createContextKey, ROOT_CONTEXT } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { lightContext } from "./light-context.ts";

const [A, B, C] = ["a", "b", "c"].map((name) => createContextKey(name)) as [symbol, symbol, symbol];

test("has what is around it, what was set since in its place, and nothing of what was deleted", () => {
  const around = ROOT_CONTEXT.setValue(A, 1).setValue(B, 2);
  const changed = lightContext(around).setValue(B, 3).setValue(C, 4).deleteValue(A);
  expect([A, B, C].map((key) => changed.getValue(key))).toEqual([undefined, 3, 4]);
  expect([A, B, C].map((key) => around.getValue(key))).toEqual([1, 2, undefined]);
});

test("a context that was derived stays as it is when another is derived from it", () => {
  const first = lightContext(ROOT_CONTEXT).setValue(A, 1);
  const second = first.setValue(A, 2);
  const without = first.deleteValue(A);
  expect([first, second, without].map((one) => one.getValue(A))).toEqual([1, 2, undefined]);
  expect(second.setValue(B, 3).getValue(A)).toBe(2);
});

test("one that is light already is the same", () => {
  const light = lightContext(ROOT_CONTEXT);
  expect(lightContext(light)).toBe(light);
});
