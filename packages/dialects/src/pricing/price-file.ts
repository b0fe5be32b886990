import type { Provider } from "@pydantic/genai-prices";

/** A price file of one's own: `providers` in the form of genai-prices, `version` to tell its editions apart. */
export interface PriceFile {
  readonly version: string;
  readonly providers: readonly Provider[];
}
