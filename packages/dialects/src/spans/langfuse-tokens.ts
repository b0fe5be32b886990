import { propertiesOf } from "../unknown-values.ts";
import type { Reader } from "./reader.ts";
import { countOf } from "./readers.ts";

/**
 * The sum of the kinds of tokens on one side of Langfuse's `usage_details`. Its `input` excludes the cached (`input_cached_tokens`
 * and so on stand beside it), but for objects in a provider's own form, whose `total` says so.
 */
export function langfuseTokens(side: "input" | "output"): Reader {
  return {
    as: `tokens: all kinds of ${side} in it`,
    read(span, name) {
      const details = Object.entries(propertiesOf(span.value(name)));
      const counts = new Map(details.map(([key, value]) => [key, countOf(value)]));
      const own =
        counts.get(side) ?? counts.get(side === "input" ? "prompt_tokens" : "completion_tokens");
      if (own === undefined) return undefined;
      const { input = 0, output = 0, total } = Object.fromEntries(counts);
      if (counts.get(side) === undefined || total === input + output) return own;
      const kinds = details.filter(([key]) => key !== side && isKindOf(side, key));
      return kinds.reduce((sum, [, value]) => sum + (countOf(value) ?? 0), own);
    },
  };
}

function isKindOf(side: string, key: string): boolean {
  return key.startsWith(`${side}_`) || (side === "input" && /^cache_.*_input_tokens$/.test(key));
}
