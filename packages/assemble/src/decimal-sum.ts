import { dollarsOf } from "@thoughtflow/dialects/prices";
import Big from "big.js";

const PLACES = 12;
/** Nearly all amounts: counted in whole picodollars they need no other arithmetic. */
const PLAIN = /^\d+(?:\.\d{1,12})?$/;

/** The exact sum of decimal texts. */
export function decimalSum(amounts: readonly string[]): string {
  let picodollars = 0n;
  let others: Big | undefined;
  for (const amount of amounts) {
    if (PLAIN.test(amount)) picodollars += picodollarsOf(amount);
    else others = (others ?? new Big(0)).plus(amount);
  }
  if (others === undefined) return dollarsOf(picodollars);
  return others.plus(`${picodollars}e-${PLACES}`).toFixed();
}

function picodollarsOf(amount: string): bigint {
  const point = amount.indexOf(".");
  if (point === -1) return BigInt(amount.padEnd(amount.length + PLACES, "0"));
  return BigInt(amount.replace(".", "").padEnd(point + PLACES, "0"));
}
