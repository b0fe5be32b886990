import type { ModelPrice } from "@pydantic/genai-prices";
import { calcPrice } from "@pydantic/genai-prices";
import { amountOf, type ExactPrice, exactPrice, type Picodollars, priceAt } from "./exact-price.ts";
import type { PriceFile } from "./price-file.ts";
import type { PricedModel, Quantities } from "./priced-quantities.ts";

/** What the table says of a call. */
export interface ListedPrice {
  /** The table's id of the model. */
  readonly model: string;
  readonly total: Picodollars;
  /** Of tokens; sound has only a total. */
  readonly input?: Picodollars;
  /** Of `input`, what tokens from a cache cost; absent where there are none, or they are of kinds with different prices. */
  readonly cachedInput?: Picodollars | undefined;
  readonly output?: Picodollars;
}

/** Prices of models by provider. */
export interface PriceList {
  /** Name and version. */
  readonly version: string;
  /**
   * The price on the day of the call; `undefined` for a model that is not in the list.
   *
   * @throws Error when the quantities contradict each other.
   */
  find(
    provider: string | undefined,
    model: string,
    quantities: Quantities,
    at: Date,
  ): ListedPrice | undefined;
}

const findBundled = createModelFinder();

/** The table that comes with `@pydantic/genai-prices`, whose version our manifest pins. */
export const bundledPriceList: PriceList = {
  version: "genai-prices 0.1.8",
  find: (provider, model, quantities, timestamp) =>
    listedPrice(
      quantities,
      findBundled(model, {
        timestamp,
        ...(provider !== undefined && { providerId: provider }),
      }),
    ),
};

/**
 * The list that a price file holds.
 *
 * @throws TypeError that names what is wrong with it.
 */
export function priceListFrom(file: PriceFile): PriceList {
  const { version, providers } = file;
  if (typeof version !== "string" || version === "")
    throw new TypeError(`The price file's version is ${JSON.stringify(version)}, expected a text.`);
  if (!Array.isArray(providers))
    throw new TypeError("The price file's providers are no list of providers of genai-prices.");
  for (const { id, models } of file.providers) {
    if (typeof id !== "string" || !Array.isArray(models))
      throw new TypeError(`The price file's provider ${JSON.stringify(id)} has no list of models.`);
  }
  const findModel = createModelFinder();
  return {
    version,
    find: (id, model, quantities, timestamp) => {
      const provider = file.providers.find((one) => one.id === id);
      return provider && listedPrice(quantities, findModel(model, { timestamp, provider }));
    },
  };
}

/** Looks models up: those whose prices never change, once. */
function createModelFinder(): (
  model: string,
  options: NonNullable<Parameters<typeof calcPrice>[2]>,
) => PricedModel | undefined {
  const known = new Map<string, PricedModel>();
  return (name, options) => {
    const key = `${options.provider?.id ?? options.providerId ?? ""}\n${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    // Which model and which prices are meant; what they come to is another question.
    const found = calcPrice({}, name, options);
    if (found === null) return undefined;
    const { provider, model, model_price: prices } = found;
    const sold = { provider: provider.id, model: model.id, prices };
    if (known.size >= REMEMBERED) known.clear();
    if (!Array.isArray(model.prices)) known.set(key, sold);
    return sold;
  };
}

/** Models may have any name, as long as anybody likes. */
const REMEMBERED = 1_000;

function listedPrice(
  quantities: Quantities,
  sold: PricedModel | undefined,
): ListedPrice | undefined {
  if (sold === undefined) return undefined;
  const { model, prices } = sold;
  const isSound = quantities["audio_seconds"] !== undefined;
  // Without such a price the table would say that sound is free.
  if (isSound && prices["audio_hours"] === undefined) return undefined;
  const price = exactPrice(quantities, sold);
  const { total, input, output } = price;
  if (isSound) return { model, total };
  return { model, total, input, cachedInput: cachedIn(quantities, prices, price), output };
}

/** Kinds of input that have prices of their own: what of them came from the cache can't be told apart. */
const OTHER_INPUT = ["input_audio_tokens", "input_image_tokens"] as const;

/** Where a model has no price for the cache, tokens from there cost what others cost. */
function cachedIn(
  quantities: Quantities,
  prices: ModelPrice,
  { cached }: ExactPrice,
): Picodollars | undefined {
  const { cache_read_tokens: count = 0 } = quantities;
  if (count === 0 || OTHER_INPUT.some((name) => (quantities[name] ?? 0) > 0)) return undefined;
  if (prices["cache_read_mtok"] !== undefined) return cached;
  return amountOf(count, priceAt(prices["input_mtok"] ?? 0, quantities));
}
