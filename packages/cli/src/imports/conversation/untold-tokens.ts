import type { Attributes } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
} from "@thoughtflow/semconv";
import { countOf } from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";

/** The step of a run that has the tokens which its calls don't tell. */
export const UNTOLD_TOKENS = "tokens that no call tells";

/** What a program counted in all; what it says nothing of is 0. */
export interface ProgramSums {
  /** Those that were read from a cache among them. */
  readonly input: unknown;
  readonly output: unknown;
  readonly read?: unknown;
  /** US dollars. */
  readonly cost?: unknown;
  readonly model?: string | undefined;
}

/** The tokens of a session that its calls told. */
export interface UntoldTokens {
  /** A call told these. */
  told(usage: Attributes): void;
  /** The rest, as attributes; `undefined` where there is none. What the sums cost counts where no call told anything. */
  beyond(sums: ProgramSums): Attributes | undefined;
}

const COUNTS = [
  [ATTR_GEN_AI_USAGE_INPUT_TOKENS, "input"],
  [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, "output"],
  [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, "read"],
] as const;

export function createUntoldTokens(): UntoldTokens {
  const told = new Map<string, number>();
  return {
    told(usage) {
      for (const [name] of COUNTS) told.set(name, (told.get(name) ?? 0) + countOf(usage[name]));
    },
    beyond(sums) {
      const rest = COUNTS.map(
        ([name, sum]) => [name, Math.max(0, countOf(sums[sum]) - (told.get(name) ?? 0))] as const,
      );
      if (rest.every(([, count]) => count === 0)) return undefined;
      const isAll = [...told.values()].every((count) => count === 0);
      return {
        ...Object.fromEntries(rest),
        ...(sums.model !== undefined && { [ATTR_GEN_AI_RESPONSE_MODEL]: sums.model }),
        ...(isAll && statedCost(sums.cost)),
      };
    },
  };
}
