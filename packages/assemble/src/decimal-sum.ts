/** The exact sum of decimal texts, each not negative: whole numbers of the smallest place are added. */
export function decimalSum(amounts: readonly string[]): string {
  const places = Math.max(...amounts.map((amount) => placesOf(amount)));
  const sum = amounts.reduce(
    (total, amount) =>
      total + BigInt(amount.replace(".", "") + "0".repeat(places - placesOf(amount))),
    0n,
  );
  if (places === 0) return String(sum);
  const digits = String(sum).padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}

function placesOf(amount: string): number {
  return amount.split(".")[1]?.length ?? 0;
}
