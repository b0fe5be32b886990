import { calcPrice } from "@pydantic/genai-prices";
import { expect, test } from "vitest";
import { dollarsOf, exactPrice } from "./exact-price.ts";

test("of a call with more tokens than anybody has nothing is learned for other calls", () => {
  const found = calcPrice({}, "gpt-4.1-nano", { providerId: "openai" });
  if (found === null) throw new Error("the table doesn't know gpt-4.1-nano");
  const { provider, model, model_price: prices } = found;
  const sold = { provider: provider.id, model: model.id, prices };
  const both = (count: number) =>
    dollarsOf(exactPrice({ input_tokens: count, output_tokens: count }, sold).total);
  both(Number.MAX_SAFE_INTEGER);
  expect(both(1_000_000)).toBe("0.5");
});
