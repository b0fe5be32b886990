/** Prices are per million tokens or per thousand requests: an amount has six places more than its price at most. */
const PLACES_OF_UNIT = 6;

/**
 * An amount that was computed in binary, as the exact decimal that it stands for. That one has a known number of
 * places, and the error of a few binary operations is far below the last of them as long as the amount has fewer than
 * 15 digits: rounding to those places gives it back.
 */
export function decimalAmount(amount: number, prices: readonly number[]): string {
  const places = PLACES_OF_UNIT + Math.max(0, ...prices.map(decimalPlaces));
  return amount.toFixed(places).replace(/\.?0+$/, "");
}

/** How many digits stand behind the point of a number as it was written: 3 for 0.075. */
function decimalPlaces(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return (digits.split(".")[1]?.length ?? 0) - Number(exponent);
}
