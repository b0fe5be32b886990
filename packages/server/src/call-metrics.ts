import { createNeutralSpan, createReadNames } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOKEN_MODALITY,
  ATTR_OPENAI_REQUEST_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_NAME,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_AUDIO_SECONDS,
  ATTR_THOUGHTFLOW_COST_STATED,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
  ATTR_THOUGHTFLOW_USAGE_CACHE_WRITE_1H_INPUT_TOKENS,
  countedTokens,
  DURATION_BUCKETS,
  GEN_AI_USAGE_PREFIX,
  INFERENCE_DURATION_DESCRIPTION,
  INFERENCE_OPERATIONS,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  OPERATION_EMBEDDINGS,
  TIME_TO_FIRST_CHUNK_DESCRIPTION,
  TOKEN_BUCKETS,
  TOKEN_METRICS,
} from "@thoughtflow/semconv";
import type { Registry } from "prom-client";
import { createCallMoney } from "./call-money.ts";
import { type CallSeries, createCallCounter, createCallHistogram } from "./call-series.ts";
import { createCountedCalls } from "./counted-calls.ts";
import { createLabelSets, type LabelSet } from "./label-sets.ts";

/** The metrics of model calls, from the spans that tell of them. */
export interface CallMetrics {
  /** Spans of one request; what was counted before, or is no model call, is passed over. */
  take(records: readonly SpanRecord[]): void;
}

const DIMENSION_NAMES = [
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
];
/** What every metric of a call is told apart by, besides its service. */
const DIMENSIONS = DIMENSION_NAMES.map((name) => [name, prometheusName(name)] as const);

/** All that is looked at here; messages, which take longest to read, are not. */
const LOOKED_AT: ReadonlySet<string> = new Set([
  ...DIMENSION_NAMES,
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_OPENAI_REQUEST_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_AUDIO_SECONDS,
  ATTR_THOUGHTFLOW_COST_STATED,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
  ATTR_THOUGHTFLOW_USAGE_CACHE_WRITE_1H_INPUT_TOKENS,
]);
/** Embeddings cost, and are no inference. */
const PAID_OPERATIONS: ReadonlySet<unknown> = new Set([
  ...INFERENCE_OPERATIONS,
  OPERATION_EMBEDDINGS,
]);
const isLookedAt = (name: string): boolean =>
  LOOKED_AT.has(name) || name.startsWith(GEN_AI_USAGE_PREFIX);
const neutralCall = createNeutralSpan(isLookedAt);
/** Whether an attribute of that name can matter here: records need not have others. */
export const isCountedName: (name: string) => boolean = createReadNames(isLookedAt);

const SERVICE = prometheusName(ATTR_SERVICE_NAME);
const MODALITY = prometheusName(ATTR_GEN_AI_TOKEN_MODALITY);
const ERROR = prometheusName(ATTR_ERROR_TYPE);
const OTHER_ERROR = "_OTHER";
const NANOS = 1e9;

/** @param beforeRead is called before any of them is read: what it has counted is among it */
export function createCallMetrics(registry: Registry, beforeRead: () => void): CallMetrics {
  const counted = createCountedCalls();
  const noLabels = createLabelSets();
  const histogram = (name: string, help: string, bounds: readonly number[]): CallSeries => {
    const unit = bounds === DURATION_BUCKETS ? "_seconds" : "";
    const config = { registry, name: prometheusName(name) + unit, help, beforeRead };
    return createCallHistogram(config, bounds);
  };
  const duration = histogram(
    METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
    INFERENCE_DURATION_DESCRIPTION,
    DURATION_BUCKETS,
  );
  const money = createCallMoney(registry, beforeRead);
  const firstChunk = histogram(
    METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
    TIME_TO_FIRST_CHUNK_DESCRIPTION,
    DURATION_BUCKETS,
  );
  const tokens = TOKEN_METRICS.map((metric) => ({
    metric,
    counter: createCallCounter({
      registry,
      name: `${prometheusName(metric.name)}_total`,
      help: metric.description,
      beforeRead,
    }),
    ofCall:
      metric.ofCall && histogram(metric.ofCall.name, metric.ofCall.description, TOKEN_BUCKETS),
  }));

  function count(call: SpanRecord): void {
    const set = labelsOf(call, noLabels);
    countTokens(call, set);
    if (!INFERENCE_OPERATIONS.has(call.attributes[ATTR_GEN_AI_OPERATION_NAME])) return;
    const seconds = (Number(call.endTimeUnixNano) - Number(call.startTimeUnixNano)) / NANOS;
    if (seconds >= 0) {
      const error = errorOf(call);
      duration.add(error === undefined ? set : set.with(ERROR, error), seconds);
    }
    const first = call.attributes[ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK];
    if (typeof first === "number" && Number.isFinite(first) && first >= 0)
      firstChunk.add(set, first);
  }

  function countTokens(call: SpanRecord, set: LabelSet): void {
    money.add(call, set);
    if (!INFERENCE_OPERATIONS.has(call.attributes[ATTR_GEN_AI_OPERATION_NAME])) return;
    for (const { metric, counter, ofCall } of tokens) {
      const { total, byModality } = countedTokens(metric, call.attributes, true);
      for (const part of byModality) {
        counter.add(set.with(MODALITY, part.modality), part.tokens);
      }
      if (total !== undefined) ofCall?.add(set, total);
    }
  }

  return {
    take(records) {
      const spans = records.map(neutralCall);
      // An inner call ends before the one around it, which tells less of it.
      spans.sort((a, b) => Number(a.endTimeUnixNano) - Number(b.endTimeUnixNano));
      for (const span of spans) {
        if (!PAID_OPERATIONS.has(span.attributes[ATTR_GEN_AI_OPERATION_NAME])) counted.pass(span);
        else if (counted.isNew(span)) count(span);
        else if (counted.tellsTokens(span)) countTokens(span, labelsOf(span, noLabels));
      }
    },
  };
}

/** As OpenTelemetry's names are written there. */
function prometheusName(name: string): string {
  return name.replaceAll(".", "_");
}

function labelsOf({ attributes, resource }: SpanRecord, none: LabelSet): LabelSet {
  const service = resource[ATTR_SERVICE_NAME];
  let set = typeof service === "string" ? none.with(SERVICE, service) : none;
  for (const [name, label] of DIMENSIONS) {
    const value = attributes[name];
    if (typeof value === "string" || typeof value === "number")
      set = set.with(label, String(value));
  }
  return set;
}

function errorOf({ attributes, status }: SpanRecord): string | undefined {
  const type = attributes[ATTR_ERROR_TYPE];
  if (typeof type === "string") return type;
  return status.code === "error" ? OTHER_ERROR : undefined;
}
