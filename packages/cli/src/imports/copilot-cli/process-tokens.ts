import type { Attributes } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
} from "@thoughtflow/semconv";
import { countOf } from "../plain-values.ts";
import type { ModelTokens } from "./records.ts";

const ATTRIBUTES = {
  input: ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  output: ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  read: ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
} as const;
const NAMES = ["input", "output", "read"] as const;
type Counts = Record<(typeof NAMES)[number], number>;

/** The tokens that calls told, of each model: what a program counted by its end may be more than that. */
export interface ProcessTokens {
  told(model: string | undefined, usage: Attributes): void;
  /**
   * What no call told, of each model; a process is over with it.
   *
   * @param isOfSession The counts go on from process to process, as newer versions keep them.
   */
  beyond(counted: readonly ModelTokens[], isOfSession: boolean): readonly ModelTokens[];
}

export function createProcessTokens(): ProcessTokens {
  let ofProcess = new Map<string | undefined, Counts>();
  const ofSession = new Map<string | undefined, Counts>();

  function add(model: string | undefined, counts: Readonly<Counts>): void {
    for (const sums of [ofProcess, ofSession]) {
      const sum = sums.get(model) ?? { input: 0, output: 0, read: 0 };
      for (const name of NAMES) sum[name] += counts[name];
      sums.set(model, sum);
    }
  }

  return {
    told(model, usage) {
      const [input, output, read] = NAMES.map((name) => countOf(usage[ATTRIBUTES[name]]));
      add(model, { input: input ?? 0, output: output ?? 0, read: read ?? 0 });
    },
    beyond(counted, isOfSession) {
      const sums = isOfSession ? ofSession : ofProcess;
      // Calls of older versions don't name their model, or by another name.
      const spare: Counts = { input: 0, output: 0, read: 0 };
      const models = new Set<string | undefined>(counted.map(({ model }) => model));
      for (const [model, sum] of sums)
        if (!models.has(model)) for (const name of NAMES) spare[name] += sum[name];
      const rests = counted.map(({ model, ...all }) => {
        const rest = { model, ...all };
        for (const name of NAMES) {
          const left = Math.max(0, all[name] - (sums.get(model)?.[name] ?? 0));
          const taken = Math.min(left, spare[name]);
          spare[name] -= taken;
          rest[name] = left - taken;
        }
        return rest;
      });
      for (const { model, ...rest } of rests) add(model, rest);
      ofProcess = new Map();
      return rests.filter((rest) => NAMES.some((name) => rest[name] > 0));
    },
  };
}
