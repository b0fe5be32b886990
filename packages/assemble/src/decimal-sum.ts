import Big from "big.js";

const PLACES = 12;
/** Nearly all amounts: counted in whole numbers of their last place, they need no other arithmetic. */
const PLAIN = /^(\d+)(?:\.(\d{1,12}))?$/;

/** The exact sum of decimal texts. */
export function decimalSum(amounts: readonly string[]): string {
  let units = 0n;
  let others = new Big(0);
  for (const amount of amounts) {
    const plain = PLAIN.exec(amount);
    if (plain === null) others = others.plus(amount);
    else units += BigInt(`${plain[1]}${(plain[2] ?? "").padEnd(PLACES, "0")}`);
  }
  return others.plus(`${units}e-${PLACES}`).toFixed();
}
