import type { Attributes } from "@thoughtflow/schema";

/** What a call took, where anything was counted: a program that was told nothing of it writes zeros. */
export function countedUsage(usage: Attributes): Attributes {
  const tokens = Object.keys(usage).filter((name) => name.startsWith("gen_ai.usage."));
  if (tokens.some((name) => usage[name] !== 0)) return usage;
  return Object.fromEntries(Object.entries(usage).filter(([name]) => !tokens.includes(name)));
}
