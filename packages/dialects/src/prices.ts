export { dollarsOf } from "./pricing/exact-price.ts";
export type { PriceFile } from "./pricing/price-file.ts";
export type { PricedCall, Pricing } from "./pricing/pricing.ts";
export { createPricing } from "./pricing/pricing.ts";
