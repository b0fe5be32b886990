import type { ModelPrice, Provider } from "@pydantic/genai-prices";
import { calcPrice } from "@pydantic/genai-prices";

/** Numbers of tokens, or `audio_seconds`, by the table's names. */
export type Quantities = Readonly<Record<string, number>>;

/** Whose prices they are. */
export interface PricedModel {
  readonly provider: string;
  readonly model: string;
  readonly prices: ModelPrice;
}

/** What one of a model's prices is for. */
export interface PricedQuantity {
  /** The table's name of the price: `cache_read_mtok`. */
  readonly key: string;
  /** Of tokens; of sound, of its table's unit. */
  readonly count: number;
  readonly isInput: boolean;
  readonly isOutput: boolean;
}

/** At so many dollars a million tokens, each costs one: the table counts them, in whole numbers. */
const COUNTING = 1_000_000;

/** What the table counts for each price is a sum of the quantities, each times one of these. */
interface Weights {
  readonly key: string;
  readonly isInput: boolean;
  readonly isOutput: boolean;
  readonly byName: readonly Weight[];
}

interface Weight {
  readonly name: string;
  readonly weight: number;
}

/** Of four times as many the table still counts each one; beyond that one more may be none, and be learned for every other call. */
const MOST_LEARNED_FROM = 10 ** 9;

/** Kinds of calls that a model is used for are few; whoever makes up ever new ones fills no memory. */
const MOST_KINDS = 100;
const known = new WeakMap<ModelPrice, Map<string, readonly Weights[] | undefined>>();

/**
 * Of how many of the quantities each price of a model is, where it is any. Which these are is the table's to say: it is asked for each
 * price alone, the others being none, once for all calls that report the same kinds of quantities.
 *
 * @throws Error when the quantities contradict each other
 */
export function pricedQuantities(
  quantities: Quantities,
  model: PricedModel,
): readonly PricedQuantity[] {
  const weights = weightsFor(quantities, model);
  if (weights === undefined) return asked(quantities, model);
  const counted: PricedQuantity[] = [];
  for (const { key, isInput, isOutput, byName } of weights) {
    let count = 0;
    for (const { name, weight } of byName) count += weight * (quantities[name] ?? 0);
    // Less than none is a contradiction, which the table words.
    if (count < 0) return asked(quantities, model);
    if (count > 0) counted.push({ key, count, isInput, isOutput });
  }
  return counted;
}

function weightsFor(quantities: Quantities, model: PricedModel): readonly Weights[] | undefined {
  const ofModel = known.get(model.prices) ?? new Map<string, readonly Weights[] | undefined>();
  known.set(model.prices, ofModel);
  let kind = "";
  for (const name in quantities) kind += `${name}${(quantities[name] ?? 0) > 0 ? "+" : " "}`;
  const isNew = !ofModel.has(kind) && ofModel.size < MOST_KINDS;
  if (isNew && Object.values(quantities).every(isLearnedFrom))
    ofModel.set(kind, weigh(quantities, model));
  return ofModel.get(kind);
}

function isLearnedFrom(count: number): boolean {
  return Number.isInteger(count) && Math.abs(count) <= MOST_LEARNED_FROM;
}

/** `undefined` for what has no such weights: of some sounds the shortest cost as much as longer ones. */
function weigh(quantities: Quantities, model: PricedModel): readonly Weights[] | undefined {
  const names = Object.keys(quantities).filter((name) => (quantities[name] ?? 0) > 0);
  if (names.includes("audio_seconds")) return undefined;
  // One more or less of each leaves no kind at none.
  const base = Object.fromEntries(
    Object.entries(quantities).map(([name, count]) => [name, count * 4]),
  );
  const before = asked(base, model);
  const found = new Map<string, { -readonly [K in keyof Weights]: Weights[K] }>();
  for (const name of names) {
    const moved = oneMoved(base, name, model);
    if (moved === undefined) return undefined;
    for (const { key, isInput, isOutput } of [...before, ...moved.counted]) {
      const weight = (countIn(moved.counted, key) - countIn(before, key)) * moved.by;
      const { byName = [] } = found.get(key) ?? {};
      const isTold = byName.some((told) => told.name === name);
      found.set(key, {
        key,
        isInput,
        isOutput,
        byName: weight === 0 || isTold ? byName : [...byName, { name, weight }],
      });
    }
  }
  return [...found.values()];
}

/** With one more of a quantity, or, where there can't be more of it, one less. */
function oneMoved(
  base: Quantities,
  name: string,
  model: PricedModel,
): { readonly by: 1 | -1; readonly counted: readonly PricedQuantity[] } | undefined {
  for (const by of [1, -1] as const) {
    try {
      return { by, counted: asked({ ...base, [name]: (base[name] ?? 0) + by }, model) };
    } catch {
      // The other way, or not at all.
    }
  }
  return undefined;
}

function countIn(counted: readonly PricedQuantity[], key: string): number {
  return counted.find((one) => one.key === key)?.count ?? 0;
}

function asked(quantities: Quantities, model: PricedModel): readonly PricedQuantity[] {
  return countersOf(model).flatMap(([key, provider]) => {
    const price = calcPrice(quantities, model.model, { provider });
    if (price === null || price.total_price === 0) return [];
    const { total_price: count, input_price, output_price } = price;
    return [{ key, count, isInput: input_price > 0, isOutput: output_price > 0 }];
  });
}

/** For each price a seller of that model alone, at that price alone. Ids stay: the table has rules for some. */
function countersOf({
  provider,
  model,
  prices,
}: PricedModel): readonly (readonly [key: string, Provider])[] {
  const keys = Object.keys(prices).filter((key) => prices[key] !== undefined);
  const none = Object.fromEntries(keys.map((key) => [key, 0]));
  return keys.map((key) => [
    key,
    {
      id: provider,
      name: provider,
      api_pattern: "",
      models: [{ id: model, match: { contains: "" }, prices: { ...none, [key]: COUNTING } }],
    },
  ]);
}
