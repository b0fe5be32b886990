/** Arguments as a model wrote them are JSON text: they are kept as what they say, when they say something. */
export function parsedText(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
