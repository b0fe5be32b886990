import type { DatabaseSync } from "node:sqlite";
import { addMoney, moneyText } from "./money-sum.ts";

/** Gives a database what SQLite lacks: exact sums of money, and percentiles. */
export function defineFunctions(database: DatabaseSync): void {
  // Its types take a state to be a value of SQLite; it may be anything.
  const define = (name: string, start: unknown, step: unknown, result: unknown): void =>
    database.aggregate(name, {
      deterministic: true,
      start: start as never,
      step: step as never,
      result: result as never,
    });
  define("decimal_sum", null, addMoney, moneyText);
  define("nearest_rank", () => ({ values: [], percent: 0 }), addToRanked, valueAtRank);
  const exact = { deterministic: true, useBigIntArguments: true };
  database.function("money_of", exact, moneyOf as never);
}

interface Ranked {
  readonly values: number[];
  readonly percent: number;
}

function addToRanked({ values }: Ranked, value: number | null, percent: number): Ranked {
  if (value !== null) values.push(value);
  return { values, percent };
}

/** The value that so many percent of all are not above; null where there is none. */
function valueAtRank({ values, percent }: Ranked): number | null {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
}

/** A sum whose dollars, and whose units of so many decimal places, were added up apart, and one of other amounts; null where all are. */
function moneyOf(
  dollars: bigint | null,
  units: bigint | null,
  places: bigint,
  others: string | null,
): string | null {
  if (dollars === null || units === null) return others;
  const length = Number(places);
  const digits = String(dollars * 10n ** places + units).padStart(length + 1, "0");
  const amount = `${digits.slice(0, -length)}.${digits.slice(-length)}`.replace(/\.?0+$/, "");
  if (others === null) return amount;
  return moneyText(addMoney(addMoney(null, others), amount));
}
