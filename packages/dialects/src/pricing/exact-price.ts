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
const MILLIONTH = new Big("0.000001");

/** Sound has prices by the hour, which no decimal of a second is: what isn't whole is rounded there. */
const PLACES = 12;

/**
 * What quantities cost at a model's prices, in decimals from the first product on. Which of the tokens a price is for
 * is the table's to say: it is asked for each price alone, the others being none.
 *
 * @throws Error when the quantities contradict each other
 */
export function exactPrice(quantities: Quantities, model: PricedModel): ExactPrice {
  const zero = new Big(0);
  let [total, input, output] = [zero, zero, zero];
  const parts = new Map<string, Big>();
  for (const [key, provider] of countersOf(model)) {
    const count = calcPrice(quantities, model.model, { provider });
    if (count === null || count.total_price === 0) continue;
    const price = priceAt(model.prices[key] ?? 0, quantities);
    const amount = price.times(count.total_price).times(MILLIONTH).round(PLACES);
    total = total.plus(amount);
    if (count.input_price > 0) input = input.plus(amount);
    if (count.output_price > 0) output = output.plus(amount);
    parts.set(key, amount);
  }
  return { total, input, output, parts };
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

const known = new WeakMap<ModelPrice, ReadonlyMap<string, Provider>>();

/** For each price a seller of that model alone, at that price alone. Ids stay: the table has rules for some. */
function countersOf({ provider, model, prices }: PricedModel): ReadonlyMap<string, Provider> {
  const made = known.get(prices);
  if (made !== undefined) return made;
  const keys = Object.keys(prices).filter((key) => prices[key] !== undefined);
  const none = Object.fromEntries(keys.map((key) => [key, 0]));
  const counters = new Map(
    keys.map((key): [string, Provider] => [
      key,
      {
        id: provider,
        name: provider,
        api_pattern: "",
        models: [{ id: model, match: { contains: "" }, prices: { ...none, [key]: COUNTING } }],
      },
    ]),
  );
  known.set(prices, counters);
  return counters;
}
