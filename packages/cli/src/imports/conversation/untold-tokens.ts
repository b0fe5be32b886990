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

/** What a program counted; what it says nothing of is 0. */
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
export interface ToldTokens {
  /** A call told these. */
  told(usage: Attributes): void;
  /** Of all that the program counted the rest. What all of it cost is known where no call told anything. */
  beyond(sums: ProgramSums): ProgramSums;
}

const COUNTS = {
  input: ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  output: ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  read: ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
} as const;

export function createToldTokens(): ToldTokens {
  const told = { input: 0, output: 0, read: 0 };
  return {
    told(usage) {
      for (const name of NAMES) told[name] += countOf(usage[COUNTS[name]]);
    },
    beyond(sums) {
      const isAll = NAMES.every((name) => told[name] === 0);
      return {
        input: countOf(sums.input) - told.input,
        output: countOf(sums.output) - told.output,
        read: countOf(sums.read) - told.read,
        cost: isAll ? sums.cost : undefined,
        model: sums.model,
      };
    },
  };
}

const NAMES = ["input", "output", "read"] as const;

/** As a span has them; `undefined` where no tokens were counted. */
export function attributesOfSums(sums: ProgramSums): Attributes | undefined {
  const counts = NAMES.map((name) => [COUNTS[name], countOf(sums[name])] as const);
  if (counts.every(([, count]) => count === 0)) return undefined;
  return {
    ...Object.fromEntries(counts),
    ...(sums.model !== undefined && { [ATTR_GEN_AI_RESPONSE_MODEL]: sums.model }),
    ...statedCost(sums.cost),
  };
}
