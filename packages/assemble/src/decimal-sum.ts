import Big from "big.js";

/** The exact sum of decimal texts. */
export function decimalSum(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed();
}
