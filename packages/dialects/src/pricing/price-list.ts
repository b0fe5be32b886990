import type { ModelPrice, Provider } from "@pydantic/genai-prices";
import { calcPrice } from "@pydantic/genai-prices";

/** Numbers of tokens, or `audio_seconds`, by the table's names. */
export type Quantities = Readonly<Record<string, number>>;

/** What the table says of a call. */
export interface ListedPrice {
  /** The table's id of the model. */
  readonly model: string;
  /** US dollars, as computed in binary. */
  readonly total: number;
  /** Of tokens; sound has only a total. */
  readonly input?: number;
  readonly output?: number;
  /** Every price that may have been used, per unit. */
  readonly prices: readonly number[];
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

/** The table that comes with `@pydantic/genai-prices`, whose version our manifest pins. */
export const bundledPriceList: PriceList = {
  version: "genai-prices 0.1.8",
  find: (provider, model, quantities, timestamp) =>
    listedPrice(quantities, model, {
      timestamp,
      ...(provider !== undefined && { providerId: provider }),
    }),
};

/** A price file of one's own: `providers` in the form of genai-prices, `version` to tell its editions apart. */
export interface PriceFile {
  readonly version: string;
  readonly providers: readonly Provider[];
}

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
  return {
    version,
    find: (id, model, quantities, timestamp) => {
      const provider = file.providers.find((one) => one.id === id);
      return provider && listedPrice(quantities, model, { timestamp, provider });
    },
  };
}

function listedPrice(
  quantities: Quantities,
  model: string,
  options: Parameters<typeof calcPrice>[2],
): ListedPrice | undefined {
  const found = calcPrice(quantities, model, options);
  if (found === null) return undefined;
  const isSound = quantities["audio_seconds"] !== undefined;
  // Without such a price the table would say that sound is free.
  if (isSound && found.model_price["audio_hours"] === undefined) return undefined;
  return {
    model: found.model.id,
    total: found.total_price,
    ...(!isSound && { input: found.input_price, output: found.output_price }),
    prices: pricesIn(found.model_price),
  };
}

function pricesIn(price: ModelPrice): readonly number[] {
  return Object.values(price).flatMap((one) => {
    if (one === undefined) return [];
    return typeof one === "number" ? [one] : [one.base, ...one.tiers.map((tier) => tier.price)];
  });
}
