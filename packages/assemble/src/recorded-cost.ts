import type { Pricing } from "@thoughtflow/dialects/prices";
import type { Cost, SpanRecord, Usage } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_OPENAI_REQUEST_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_THOUGHTFLOW_AUDIO_SECONDS,
  ATTR_THOUGHTFLOW_COST_STATED,
  ATTR_THOUGHTFLOW_USAGE_CACHE_WRITE_1H_INPUT_TOKENS,
} from "@thoughtflow/semconv";
import Big from "big.js";
import { tokensAt, usageOf } from "./recorded-usage.ts";
import { numberAttribute, type SpanNode, textAttribute } from "./span-node.ts";
import { isoFromNanoseconds } from "./time.ts";

/** The labels of steps that a provider takes money for, whatever they report. */
const PAID: ReadonlySet<string> = new Set(["assistant_call", "embedding"]);

/**
 * What an ended model call cost, at the prices of the moment it began. What the program says itself stands beside that, and in
 * its place where the table has no price.
 */
export function costOf(
  { record, start }: Pick<SpanNode, "record" | "start">,
  label: string,
  usage: Usage | undefined,
  priceOf: Pricing,
): Cost | undefined {
  if (record.type === "span_start") return undefined;
  const audioSeconds = numberAttribute(record, ATTR_THOUGHTFLOW_AUDIO_SECONDS);
  const stated = statedOf(record);
  const isPaid = (PAID.has(label) && !isRefused(record)) || stated !== undefined;
  if (usage === undefined && audioSeconds === undefined && !isPaid) return undefined;
  const cost = priceOf({
    provider: textAttribute(record, ATTR_GEN_AI_PROVIDER_NAME),
    responseModel: textAttribute(record, ATTR_GEN_AI_RESPONSE_MODEL),
    requestModel: textAttribute(record, ATTR_GEN_AI_REQUEST_MODEL),
    serviceTier:
      textAttribute(record, ATTR_OPENAI_RESPONSE_SERVICE_TIER) ??
      textAttribute(record, ATTR_OPENAI_REQUEST_SERVICE_TIER),
    // A clock before 1970, or beyond all dates, is wrong: no moment is told of it.
    at: new Date(isoFromNanoseconds(start) ?? 0),
    usage,
    cacheWrite1hTokens: tokensAt(record, ATTR_THOUGHTFLOW_USAGE_CACHE_WRITE_1H_INPUT_TOKENS),
    audioSeconds,
    hasNoOutput: label === "embedding",
  });
  if (stated === undefined) return cost;
  return { ...cost, ...(cost.total === null && { status: "stated", total: stated }), stated };
}

/** It failed before a model answered, as with a 429: nobody takes money for that. An answer that broke off names its model. */
function isRefused({ status, attributes }: SpanRecord): boolean {
  return status.code === "error" && attributes[ATTR_GEN_AI_RESPONSE_MODEL] === undefined;
}

/** Exact decimal text. */
function statedOf(record: SpanNode["record"]): string | undefined {
  const stated = numberAttribute(record, ATTR_THOUGHTFLOW_COST_STATED);
  if (stated === undefined || !Number.isFinite(stated) || stated <= 0) return undefined;
  return new Big(stated).toFixed();
}

/** What the span of a model call says that it cost: the same as in its document. */
export function costOfCall(
  record: SpanRecord,
  label: "assistant_call" | "embedding",
  priceOf: Pricing,
): Cost | undefined {
  const start = BigInt(record.startTimeUnixNano);
  return costOf({ record, start }, label, usageOf(record), priceOf);
}
