import { costOfCall, decimalSum } from "@thoughtflow/assemble";
import { createPricing } from "@thoughtflow/dialects/prices";
import { currentPriceFile } from "@thoughtflow/processor/prices";
import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME, OPERATION_EMBEDDINGS } from "@thoughtflow/semconv";
import type { Registry } from "prom-client";
import { createCallCounter, registerCallSeries } from "./call-series.ts";
import type { LabelSet } from "./label-sets.ts";

/** What calls cost, as `/metrics` tells it. */
export interface CallMoney {
  add(call: SpanRecord, set: LabelSet): void;
}

/**
 * Counts the money of calls by their labels, and the calls that have no price. Sums are decimal and become binary numbers only
 * when they are shown, so they are those of the documents.
 */
export function createCallMoney(registry: Registry, beforeRead: () => void): CallMoney {
  const priceOf = createPricing(currentPriceFile());
  const sums = new Map<LabelSet, string>();
  registerCallSeries(
    {
      registry,
      name: "thoughtflow_receiver_cost_usd_total",
      help: "What model calls cost, in US dollars.",
      beforeRead,
    },
    "counter",
    () => Array.from(sums, ([{ labels }, sum]) => ({ labels, value: Number(sum) })),
  );
  const unpriced = createCallCounter({
    registry,
    name: "thoughtflow_receiver_unpriced_calls_total",
    help: "Model calls whose price is not known; they are in no sum.",
    beforeRead,
  });

  return {
    add(call, set) {
      const isEmbedding = call.attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_EMBEDDINGS;
      const total = costOfCall(call, isEmbedding ? "embedding" : "assistant_call", priceOf)?.total;
      if (typeof total === "string") sums.set(set, decimalSum([sums.get(set) ?? "0", total]));
      else unpriced.add(set, 1);
    },
  };
}
