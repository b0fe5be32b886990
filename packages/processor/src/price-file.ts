import type { PriceFile } from "@thoughtflow/dialects/prices";

const KEY: unique symbol = Symbol.for("thoughtflow.price-file.v1");

const holder = globalThis as { [KEY]?: PriceFile | undefined };

/**
 * Sets the prices that the documents of this process are made with, asked before the table of genai-prices; `undefined`
 * ends it. Other processes that write the same directory need the same file.
 */
export function setPriceFile(file: PriceFile | undefined): void {
  Object.defineProperty(holder, KEY, { value: file, configurable: true });
}

/** What `setPriceFile` was last told. */
export function currentPriceFile(): PriceFile | undefined {
  return holder[KEY];
}
