import { costOfCall, decimalSum } from "@thoughtflow/assemble";
import { createPricing } from "@thoughtflow/dialects/prices";
import { currentPriceFile } from "@thoughtflow/processor/prices";
import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME, OPERATION_EMBEDDINGS } from "@thoughtflow/semconv";
import { Counter, type Registry } from "prom-client";
import type { LabelSet } from "./label-sets.ts";

/** What calls cost, as `/metrics` tells it. */
export interface CallMoney {
  add(call: SpanRecord, set: LabelSet): void;
}

/**
 * Counts the money of calls by their labels, and the calls that have no price. Sums are decimal and become binary numbers only
 * when they are shown, so they are those of the documents.
 */
export function createCallMoney(
  registry: Registry,
  labelNames: readonly string[],
  beforeRead: () => void,
): CallMoney {
  const priceOf = createPricing(currentPriceFile());
  const sums = new Map<LabelSet, string>();
  const counter = (name: string, help: string, collect: () => void) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry], collect });
  const cost = counter(
    "thoughtflow_receiver_cost_usd_total",
    "What model calls cost, in US dollars.",
    () => {
      beforeRead();
      cost.reset();
      for (const [{ labels }, sum] of sums) cost.inc(labels, Number(sum));
    },
  );
  const unpriced = counter(
    "thoughtflow_receiver_unpriced_calls_total",
    "Model calls whose price is not known; they are in no sum.",
    beforeRead,
  );

  return {
    add(call, set) {
      const isEmbedding = call.attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_EMBEDDINGS;
      const total = costOfCall(call, isEmbedding ? "embedding" : "assistant_call", priceOf)?.total;
      if (typeof total === "string") sums.set(set, decimalSum([sums.get(set) ?? "0", total]));
      else unpriced.inc(set.labels);
    },
  };
}
