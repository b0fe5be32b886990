import { decimalSum } from "@thoughtflow/assemble";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addMoney, type MoneySum, moneyText } from "./money-sum.ts";

const sumOf = (amounts: readonly (string | null)[]): string | null =>
  moneyText(amounts.reduce<MoneySum | null>(addMoney, null));

test("the sum of nothing is null, and of amounts exact", () => {
  expect(sumOf([])).toBeNull();
  expect(sumOf([null, null])).toBeNull();
  expect(sumOf(["0"])).toBe("0");
  expect(sumOf(["0.1", null, "0.2"])).toBe("0.3");
  expect(sumOf(["0.000000000001", "123456789012.5", "0.0000000000000001"])).toBe(
    "123456789012.5000000000010001",
  );
});

test("it is that of decimals, for any amounts", () => {
  const amount = fc
    .tuple(fc.nat({ max: 999_999 }), fc.integer({ min: 0, max: 10 ** 14 - 1 }), fc.nat({ max: 14 }))
    .map(([whole, places, length]) =>
      length === 0
        ? String(whole)
        : `${whole}.${String(places).padStart(14, "0").slice(0, length)}`,
    );
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 60 }), (amounts) => {
      expect(sumOf(amounts)).toBe(decimalSum(amounts));
    }),
    { numRuns: 300 },
  );
});

test("it stays exact beyond what one number holds", () => {
  const amounts = Array.from({ length: 50_000 }, (_, at) => `${at % 1000}.${at % 7}00000000001`);
  expect(sumOf(amounts)).toBe(decimalSum(amounts));
});
