import { createRequire } from "node:module";
import type * as Prices from "@thoughtflow/processor/prices";
import { InvalidOptionsError } from "./invalid-options-error.ts";

/**
 * Has the documents of this process made with the prices of a file. What knows prices is loaded for it, and not without.
 *
 * @throws InvalidOptionsError where it is no price file
 */
export function useOwnPrices(path: string): void {
  const prices: typeof Prices = createRequire(import.meta.url)("@thoughtflow/processor/prices");
  try {
    prices.setPriceFile(prices.readPriceFile(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidOptionsError([
      { name: "prices", value: path, expected: `a price file (${reason})` },
    ]);
  }
}
