import { propertiesOf } from "../unknown-values.ts";
import type { Reader } from "./reader.ts";
import { countOf } from "./readers.ts";

/** What providers call them, in whose form Python's wrapper of openai has them; of chat first. */
const PROVIDER_NAMES = {
  input: ["prompt_tokens", "input_tokens"],
  output: ["completion_tokens", "output_tokens"],
} as const;

/**
 * The sum of the kinds of tokens on one side of Langfuse's `usage_details`. Its `input` excludes the cached (`input_cached_tokens`
 * and so on stand beside it), but where the total says that both sides are whole. OpenAI's `prompt_tokens` are whole always.
 */
export function langfuseTokens(side: "input" | "output"): Reader {
  return {
    as: `tokens: all kinds of ${side} in it`,
    read(span, name) {
      const details = Object.entries(propertiesOf(span.value(name)));
      const counts = new Map(details.map(([key, value]) => [key, countOf(value)]));
      const called = nameOf(side, counts);
      const own = called === undefined ? undefined : counts.get(called);
      if (own === undefined || called === PROVIDER_NAMES[side][0]) return own;
      const [input, output] = [nameOf("input", counts), nameOf("output", counts)];
      const both = (counts.get(input ?? "") ?? 0) + (counts.get(output ?? "") ?? 0);
      if ((counts.get("total") ?? counts.get("total_tokens")) === both) return own;
      const kinds = details.filter(
        ([key]) => key !== called && isKindOf(side, key, called === side),
      );
      return kinds.reduce((sum, [, value]) => sum + (countOf(value) ?? 0), own);
    },
  };
}

type Counts = ReadonlyMap<string, number | undefined>;

function nameOf(side: "input" | "output", counts: Counts): string | undefined {
  return [side, ...PROVIDER_NAMES[side]].find((one) => counts.get(one) !== undefined);
}

/** Anthropic's own counts of the cached stand beside its others, too. */
function isKindOf(side: string, key: string, isOfLangfuse: boolean): boolean {
  const isCached = side === "input" && /^cache_.*_input_tokens$/.test(key);
  return isCached || (isOfLangfuse && key.startsWith(`${side}_`));
}
