import type { ModelPrice, Provider } from "@pydantic/genai-prices";
import { calcPrice } from "@pydantic/genai-prices";
import Big from "big.js";

/** Numbers of tokens, or `audio_seconds`, by the table's names. */
export type Quantities = Readonly<Record<string, number>>;

/** US dollars. */
export interface ExactPrice {
  readonly total: Big;
  readonly input: Big;
  readonly output: Big;
  /** What each of the model's prices comes to, by the table's key of it: `cache_read_mtok`. */
  readonly parts: ReadonlyMap<string, Big>;
}

/** Whose prices they are. */
export interface PricedModel {
  readonly provider: string;
  readonly model: string;
  readonly prices: ModelPrice;
}

/** At so many dollars a million tokens, each costs one: the table counts them, in whole numbers. */
const COUNTING = 1_000_000;
/** Of two prices that are asked for at once the second counts in steps of so many: no call has as many tokens. */
const STEP = 2 ** 26;
/** Of what is sold by the million, numbers are whole. */
const BY_THE_MILLION = /_mtok$/;
const MILLIONTH = new Big("0.000001");

/** Sound has prices by the hour, which no decimal of a second is: what isn't whole is rounded there. */
const PLACES = 12;

/**
 * What quantities cost at a model's prices, in decimals from the first product on. Which of the tokens a price is for
 * is the table's to say: it is asked for one price or two at a time, the others being none.
 *
 * @throws Error when the quantities contradict each other
 */
export function exactPrice(quantities: Quantities, model: PricedModel): ExactPrice {
  const zero = new Big(0);
  let [total, input, output] = [zero, zero, zero];
  const parts = new Map<string, Big>();
  for (const { keys, provider } of questionsFor(model, quantities)) {
    const sums = calcPrice(quantities, model.model, { provider });
    if (sums === null || sums.total_price === 0) continue;
    for (const [at, key] of keys.entries()) {
      const count = digitOf(sums.total_price, at, keys.length);
      if (count === 0) continue;
      const price = priceAt(model.prices[key] ?? 0, quantities);
      const amount = price.times(count).times(MILLIONTH).round(PLACES);
      total = total.plus(amount);
      if (digitOf(sums.input_price, at, keys.length) > 0) input = input.plus(amount);
      if (digitOf(sums.output_price, at, keys.length) > 0) output = output.plus(amount);
      parts.set(key, amount);
    }
  }
  return { total, input, output, parts };
}

/** Of the sum that answers a question, what the price at this place counts. */
function digitOf(sum: number, at: number, places: number): number {
  if (places === 1) return sum;
  return at === 0 ? sum % STEP : Math.floor(sum / STEP);
}

/** The price that holds for so much input: that of the highest tier that it is above. */
export function priceAt(
  price: NonNullable<ModelPrice[string]>,
  { input_tokens = 0 }: Quantities,
): Big {
  if (typeof price === "number") return new Big(price);
  const tiers = price.tiers
    .filter(({ start }) => input_tokens > start)
    .toSorted((a, b) => a.start - b.start);
  return new Big(tiers.at(-1)?.price ?? price.base);
}

/** What the table is asked: a seller of that model alone, at one price or two alone. */
interface Question {
  readonly keys: readonly string[];
  readonly provider: Provider;
}

const known = new WeakMap<ModelPrice, Record<"alone" | "paired", readonly Question[]>>();

function questionsFor(model: PricedModel, quantities: Quantities): readonly Question[] {
  const made = known.get(model.prices) ?? {
    alone: questionsOf(model, 1),
    paired: questionsOf(model, 2),
  };
  known.set(model.prices, made);
  for (const name in quantities) if (!isSmall(quantities[name])) return made.alone;
  return made.paired;
}

function isSmall(quantity: number | undefined): boolean {
  return quantity === undefined || (Number.isInteger(quantity) && quantity < STEP);
}

/** Ids stay: the table has rules for some. */
function questionsOf({ provider, model, prices }: PricedModel, most: number): readonly Question[] {
  const keys = Object.keys(prices).filter((key) => prices[key] !== undefined);
  const whole = keys.filter((key) => BY_THE_MILLION.test(key));
  const asked: (readonly string[])[] = keys
    .filter((key) => !BY_THE_MILLION.test(key))
    .map((key) => [key]);
  for (let at = 0; at < whole.length; at += most) asked.push(whole.slice(at, at + most));
  const none = Object.fromEntries(keys.map((key) => [key, 0]));
  return asked.map((keys) => {
    const counting = Object.fromEntries(keys.map((key, at) => [key, COUNTING * STEP ** at]));
    const models = [{ id: model, match: { contains: "" }, prices: { ...none, ...counting } }];
    return { keys, provider: { id: provider, name: provider, api_pattern: "", models } };
  });
}
