import { createPricing } from "@thoughtflow/dialects/prices";

const pricing = createPricing();
const known = new Map<string, boolean>();
/** So many models are asked for once. */
const REMEMBERED = 1_000;

/** A model, and when it was called. */
export interface PricedModel {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** Milliseconds since 1970. */
  readonly ms: number;
}

/** Whether the table has a price for tokens of a model: what a program says that they cost counts where it has none. */
export function hasTablePrice({ model, provider, ms }: PricedModel): boolean {
  if (model === undefined) return false;
  const key = `${provider ?? ""}\n${model}`;
  const told = known.get(key);
  if (told !== undefined) return told;
  const { total } = pricing({
    provider,
    responseModel: model,
    requestModel: undefined,
    serviceTier: undefined,
    at: new Date(Math.max(0, ms)),
    usage: { input_tokens: 1, output_tokens: 1 },
    hasNoOutput: false,
  });
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, total !== null);
  return total !== null;
}
