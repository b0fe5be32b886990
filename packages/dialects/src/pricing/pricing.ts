import type { Cost, Usage } from "@thoughtflow/schema";
import { dollarsOf } from "./exact-price.ts";
import { modelOfService } from "./named-service.ts";
import type { PriceFile } from "./price-file.ts";
import type { ListedPrice, PriceList } from "./price-list.ts";
import { bundledPriceList, priceListFrom } from "./price-list.ts";
import { priceProviderOf } from "./price-provider.ts";
import type { Quantities } from "./priced-quantities.ts";

/** What is known of a model call when it is priced. */
export interface PricedCall {
  /** `gen_ai.provider.name`. */
  readonly provider: string | undefined;
  /** As the answer names it. */
  readonly responseModel: string | undefined;
  readonly requestModel: string | undefined;
  /** What the answer says it was served at, else what was asked for. */
  readonly serviceTier: string | undefined;
  /** Prices change: those of this moment count. */
  readonly at: Date;
  readonly usage: Usage | undefined;
  /** Of the tokens written to the cache, those it keeps for an hour. */
  readonly cacheWrite1hTokens?: number | undefined;
  /** Seconds of sound, where the provider counts those and no tokens. */
  readonly audioSeconds?: number | undefined;
  /** An answer without tokens of its own: embeddings. */
  readonly hasNoOutput: boolean;
}

/** What a call cost. Pure and total. */
export type Pricing = (call: PricedCall) => Cost;

const CURRENCY = "USD";

/** Tiers that have a price of their own, which the tables don't know. */
const OTHER_TIERS: ReadonlySet<string> = new Set(["batch", "flex", "priority", "scale"]);

/** Token counts by the names of genai-prices, which takes parts of a total for what they are. */
const QUANTITIES: ReadonlyMap<string, string> = new Map([
  ["input_tokens", "input_tokens"],
  ["output_tokens", "output_tokens"],
  ["cache_read_input_tokens", "cache_read_tokens"],
  ["cache_write_input_tokens", "cache_write_tokens"],
  ["reasoning_output_tokens", "output_reasoning_tokens"],
  ["text_input_tokens", "input_text_tokens"],
  ["text_output_tokens", "output_text_tokens"],
  ["image_input_tokens", "input_image_tokens"],
  ["image_output_tokens", "output_image_tokens"],
  ["audio_input_tokens", "input_audio_tokens"],
  ["audio_output_tokens", "output_audio_tokens"],
  ["text_cache_read_input_tokens", "cache_text_read_tokens"],
  ["image_cache_read_input_tokens", "cache_image_read_tokens"],
  ["audio_cache_read_input_tokens", "cache_audio_read_tokens"],
] as const satisfies readonly (readonly [keyof Usage, string])[]);

/**
 * Pricing by the table of `@pydantic/genai-prices`; a price file of one's own is asked first.
 *
 * @throws TypeError when the price file is none.
 */
export function createPricing(own?: PriceFile): Pricing {
  const lists = own === undefined ? [bundledPriceList] : [priceListFrom(own), bundledPriceList];
  return (call) => costOf(call, lists);
}

function costOf(call: PricedCall, lists: readonly PriceList[]): Cost {
  const { responseModel, requestModel, serviceTier = "" } = call;
  const quantities = quantitiesOf(call);
  if (quantities === undefined) return unknown("missing_usage");
  const provider = call.provider && priceProviderOf(call.provider);
  for (const list of lists) {
    for (const model of [responseModel, requestModel]) {
      if (model === undefined) continue;
      const found = findNamed(list, provider, model, quantities, call.at);
      if (found === undefined) continue;
      const isSure =
        found.isExact &&
        provider !== undefined &&
        model === (responseModel ?? requestModel) &&
        !OTHER_TIERS.has(serviceTier);
      return cost(isSure ? "priced" : "estimated", found.price, list, call.at);
    }
  }
  return unknown("unknown_model");
}

interface Found {
  readonly price: ListedPrice;
  readonly isExact: boolean;
}

/** A name may begin with the service that sells the model. */
function findNamed(
  list: PriceList,
  provider: string | undefined,
  model: string,
  quantities: Quantities,
  at: Date,
): Found | undefined {
  const found = find(list, provider, model, quantities, at);
  if (found !== undefined) return found;
  const sold = modelOfService(provider, model);
  return sold && find(list, sold.provider, sold.model, quantities, at);
}

/** Parts that contradict their total are left out; what remains is no longer exact. */
function find(
  list: PriceList,
  provider: string | undefined,
  model: string,
  quantities: Quantities,
  at: Date,
): Found | undefined {
  try {
    const price = list.find(provider, model, quantities, at);
    return price && { price, isExact: true };
  } catch {
    const price = priceOfTotals(list, provider, model, quantities, at);
    return price && { price, isExact: false };
  }
}

function priceOfTotals(
  list: PriceList,
  provider: string | undefined,
  model: string,
  { input_tokens, output_tokens = 0 }: Quantities,
  at: Date,
): ListedPrice | undefined {
  if (input_tokens === undefined) return undefined;
  try {
    return list.find(provider, model, { input_tokens, output_tokens }, at);
  } catch {
    return undefined;
  }
}

function cost(status: string, price: ListedPrice, { version }: PriceList, at: Date): Cost {
  const { model, total, input, cachedInput, output } = price;
  const told: Cost = { status, currency: CURRENCY, total: dollarsOf(total) };
  if (input !== undefined) told.input = dollarsOf(input);
  if (cachedInput !== undefined) told.cached_input = dollarsOf(cachedInput);
  if (output !== undefined) told.output = dollarsOf(output);
  told.model = model;
  told.price_table = version;
  told.price_date = at.toISOString().slice(0, 10);
  return told;
}

function unknown(status: string): Cost {
  return { status, currency: CURRENCY, total: null };
}

/** What is paid for: tokens, else sound; `undefined` where it is not known. */
function quantitiesOf({
  usage = {},
  cacheWrite1hTokens,
  audioSeconds,
  hasNoOutput,
}: PricedCall): Quantities | undefined {
  if (usage.input_tokens === undefined || (usage.output_tokens === undefined && !hasNoOutput)) {
    return audioSeconds === undefined ? undefined : { audio_seconds: audioSeconds };
  }
  const quantities: Record<string, number> = {};
  for (const key in usage) {
    const name = QUANTITIES.get(key);
    const count = usage[key];
    if (name !== undefined && count !== undefined) quantities[name] = count as number;
  }
  if (cacheWrite1hTokens !== undefined) quantities["cache_write_1h_tokens"] = cacheWrite1hTokens;
  return quantities;
}
