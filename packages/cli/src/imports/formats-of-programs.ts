/** Programs whose logs a format reads that is not called after them, by their names in small letters. */
const PROGRAMS: ReadonlyMap<string, { readonly program: string; readonly format: string }> =
  new Map([
    ["helicone", { program: "Helicone", format: "openai-log" }],
    ["litellm", { program: "LiteLLM", format: "openai-log" }],
  ]);

/** Which format reads what a program writes, as a clause; `undefined` of other words. */
export function formatOfProgram(word: string): string | undefined {
  const known = PROGRAMS.get(word.toLowerCase());
  return known && `${known.format} reads what ${known.program} writes`;
}
