import { calcPrice } from "@pydantic/genai-prices";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dollarsOf, exactPrice } from "./exact-price.ts";

const MODELS = [
  ["openai", "gpt-4.1-mini"],
  ["openai", "gpt-realtime"],
  ["openai", "gpt-4o-audio-preview"],
  ["openai", "gpt-image-1"],
  ["anthropic", "claude-sonnet-4-5"],
  ["google", "gemini-2.5-pro"],
  ["google", "gemini-2.5-flash"],
  ["groq", "whisper-large-v3"],
] as const;

const NAMES = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_write_1h_tokens",
  "output_reasoning_tokens",
  "input_text_tokens",
  "input_image_tokens",
  "input_audio_tokens",
  "output_audio_tokens",
  "cache_audio_read_tokens",
  "audio_seconds",
];

/** Totals that parts mostly fit into, and parts that are often none. */
const quantities = fc
  .record(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        /^(in|out)put_tokens/.test(name)
          ? fc.oneof(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 0, max: 40 }))
          : fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 })),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((counts) => Object.fromEntries(Object.entries(counts).toSorted()) as Record<string, number>);

const told = (price: () => number | undefined): number | string | undefined => {
  try {
    return price();
  } catch {
    return "a contradiction";
  }
};

test("what was learned of one call's quantities is true of every other call's of its kind", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...MODELS),
      quantities,
      fc.array(quantities),
      (model, kind, all) => {
        const [providerId, name] = model;
        const found = calcPrice({}, name, { providerId });
        if (found === null) throw new Error(`${name} is not in the table`);
        const sold = {
          provider: found.provider.id,
          model: found.model.id,
          prices: found.model_price,
        };
        const ofKind = all.map((counts) =>
          Object.fromEntries(Object.entries(kind).map(([key, n]) => [key, counts[key] ?? n])),
        );
        for (const counts of [kind, ...ofKind]) {
          const ours = told(() => Number(dollarsOf(exactPrice(counts, sold).total)));
          const listed = told(() => calcPrice(counts, name, { providerId })?.total_price);
          // The table's own sums are binary; ours have twelve places.
          const isNear =
            typeof ours === "number" &&
            typeof listed === "number" &&
            Math.abs(ours - listed) <= 1e-9 * listed + 1e-12;
          if (!isNear) expect(ours).toBe(listed);
        }
      },
    ),
    { numRuns: 400 },
  );
});
