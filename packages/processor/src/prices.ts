import { readFileSync } from "node:fs";
import { createPricing, type PriceFile } from "@thoughtflow/dialects/prices";

export { currentPriceFile, setPriceFile } from "./price-file.ts";

/**
 * Reads a price file: `{ "version": "…", "providers": […] }`, the providers in the form of genai-prices.
 *
 * @throws Error that says what is wrong with it
 */
export function readPriceFile(path: string): PriceFile {
  const file: PriceFile = JSON.parse(readFileSync(path, "utf8"));
  createPricing(file);
  return file;
}
