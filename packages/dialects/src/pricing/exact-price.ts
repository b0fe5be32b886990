import type { ModelPrice } from "@pydantic/genai-prices";
import Big from "big.js";
import { type PricedModel, pricedQuantities, type Quantities } from "./priced-quantities.ts";

/** A millionth of a millionth of a US dollar: whole numbers of them are exact. */
export type Picodollars = bigint;

export interface ExactPrice {
  readonly total: Picodollars;
  readonly input: Picodollars;
  readonly output: Picodollars;
  /** Of `input`, what has the price of tokens from a cache. */
  readonly cached: Picodollars;
}

/**
 * What quantities cost at a model's prices, without a binary fraction.
 *
 * @throws Error when the quantities contradict each other
 */
export function exactPrice(quantities: Quantities, model: PricedModel): ExactPrice {
  let [total, input, output, cached] = [0n, 0n, 0n, 0n];
  for (const { key, count, isInput, isOutput } of pricedQuantities(quantities, model)) {
    const amount = amountOf(count, priceAt(model.prices[key] ?? 0, quantities));
    total += amount;
    if (isInput) input += amount;
    if (isOutput) output += amount;
    if (key === "cache_read_mtok") cached = amount;
  }
  return { total, input, output, cached };
}

const MILLION = 1_000_000;
/** A number that has no more digits is the decimal that it stands for. */
const EXACT = 10 ** 15;

/** What so many cost at so many dollars a million. Sound has prices by the hour: what isn't whole then is rounded. */
export function amountOf(count: number, price: number): Picodollars {
  const each = Math.round(price * MILLION);
  const isWhole = each / MILLION === price && Math.abs(each) < EXACT;
  if (isWhole && Number.isSafeInteger(count)) return BigInt(each) * BigInt(count);
  return BigInt(new Big(price).times(count).times(MILLION).round().toFixed());
}

/** The price that holds for so much input: that of the highest tier that it is above. */
export function priceAt(
  price: NonNullable<ModelPrice[string]>,
  { input_tokens = 0 }: Quantities,
): number {
  if (typeof price === "number") return price;
  const { base, tiers } = price;
  let highest: (typeof tiers)[number] | undefined;
  for (const tier of tiers) {
    const isAbove = input_tokens > tier.start;
    if (isAbove && (highest === undefined || tier.start >= highest.start)) highest = tier;
  }
  return highest?.price ?? base;
}

const PLACES = 12;

/** So many picodollars as dollars in decimal text, without zeros that say nothing: `0.0125`. */
export function dollarsOf(amount: Picodollars): string {
  if (amount < 0n) return `-${dollarsOf(-amount)}`;
  const digits = String(amount).padStart(PLACES + 1, "0");
  const point = digits.length - PLACES;
  let end = digits.length;
  while (end > point && digits[end - 1] === "0") end--;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}
