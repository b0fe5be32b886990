const LEVELS = { high: 0.9, medium: 0.6, low: 0.3 } as const;

/** How sure a thought is: 0 to 1, or a level. Kept as it was given. */
export type Confidence = number | keyof typeof LEVELS;

/** The number by which confidences are compared; `undefined` for what is none. */
export function confidenceValue(confidence: unknown): number | undefined {
  if (typeof confidence === "number") {
    return confidence >= 0 && confidence <= 1 ? confidence : undefined;
  }
  return isLevel(confidence) ? LEVELS[confidence] : undefined;
}

function isLevel(value: unknown): value is keyof typeof LEVELS {
  return typeof value === "string" && Object.hasOwn(LEVELS, value);
}
