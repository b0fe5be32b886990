import { decimalSum } from "@thoughtflow/assemble";

/** The exact sum of amounts, as it grows: one object takes them all. */
export interface MoneySum {
  /** Billionths of a thousandth of a dollar: a whole number that binary arithmetic has exactly. */
  units: number;
  /** What has become too large for that, and amounts of more places. */
  others: string | null;
}

const PLACES = 12;
const UNITS = 10 ** PLACES;
/** Two amounts below it add up to a whole number that is exact. */
const MOST_UNITS = Number.MAX_SAFE_INTEGER / 2;
const AMOUNT = /^(\d{1,3})(?:\.(\d{1,12}))?$/;

/** A sum and one amount more, decimal text; null adds nothing. Most amounts are small: those cost no big number. */
export function addMoney(sum: MoneySum | null, amount: unknown): MoneySum | null {
  if (amount === null) return sum;
  const grown = sum ?? { units: 0, others: null };
  const text = String(amount);
  const small = AMOUNT.exec(text);
  if (small === null) {
    grown.others = decimalSum([grown.others ?? "0", text]);
    return grown;
  }
  const [, whole = "", places = ""] = small;
  grown.units += Number(whole) * UNITS + Number(places.padEnd(PLACES, "0"));
  if (grown.units < MOST_UNITS) return grown;
  grown.others = moneyText(grown);
  grown.units = 0;
  return grown;
}

/** The sum as decimal text; null where nothing was added. */
export function moneyText(sum: MoneySum | null): string | null {
  if (sum === null) return null;
  const digits = String(sum.units).padStart(PLACES + 1, "0");
  const units = `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
  return decimalSum([sum.others ?? "0", units]);
}
