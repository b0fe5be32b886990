import { neutralSpan } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOKEN_MODALITY,
  ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_NAME,
  DURATION_BUCKETS,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  OPERATION_CHAT,
  OPERATION_GENERATE_CONTENT,
  OPERATION_TEXT_COMPLETION,
  TOKEN_BUCKETS,
} from "@thoughtflow/semconv";
import { Counter, Histogram, type Registry } from "prom-client";
import { createCountedCalls } from "./counted-calls.ts";
import { createLabelSets, type LabelSet, OVERFLOW_LABEL } from "./label-sets.ts";

/** The metrics of model calls, from the spans that tell of them. */
export interface CallMetrics {
  /** Spans of one request; what was counted before, or is no model call, is passed over. */
  take(records: readonly SpanRecord[]): void;
}

const INFERENCES: ReadonlySet<unknown> = new Set([
  OPERATION_CHAT,
  OPERATION_TEXT_COMPLETION,
  OPERATION_GENERATE_CONTENT,
]);

/** What every metric of a call is told apart by, besides its service. */
const DIMENSIONS = [
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
].map((name) => [name, prometheusName(name)] as const);

/** Metrics of tokens: the counter, the attribute, and by modality the attributes that tell parts of it. */
const TOKENS: readonly (readonly [string, string, string, Readonly<Record<string, string>>])[] = [
  [
    METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
    "Input tokens used, cached ones included.",
    ATTR_GEN_AI_USAGE_INPUT_TOKENS,
    {
      text: ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS,
      image: ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS,
      audio: ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS,
    },
  ],
  [
    METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
    "Output tokens used, reasoning included.",
    ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
    {
      text: ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS,
      image: ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS,
      audio: ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS,
    },
  ],
  [
    METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
    "Input tokens read from a cache.",
    ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
    {
      text: ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS,
      image: ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS,
      audio: ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS,
    },
  ],
  [
    METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
    "Input tokens written to a cache.",
    ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
    {},
  ],
  [
    METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
    "Output tokens used for reasoning.",
    ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
    {},
  ],
];

/** The conventions want an inference without usage to be there, as 0. */
const ALWAYS: ReadonlySet<string> = new Set([
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
]);

const SERVICE = prometheusName(ATTR_SERVICE_NAME);
const MODALITY = prometheusName(ATTR_GEN_AI_TOKEN_MODALITY);
const ERROR = prometheusName(ATTR_ERROR_TYPE);
const UNKNOWN = "unknown";
const OTHER_ERROR = "_OTHER";
const NANOS = 1e9;

export function createCallMetrics(registry: Registry): CallMetrics {
  const isNew = createCountedCalls();
  const noLabels = createLabelSets();
  const base = [SERVICE, ...DIMENSIONS.map(([, label]) => label), OVERFLOW_LABEL];

  const histogram = (name: string, help: string, buckets: readonly number[], more: string[] = []) =>
    new Histogram({
      name: prometheusName(name) + (buckets === DURATION_BUCKETS ? "_seconds" : ""),
      help,
      buckets: [...buckets],
      labelNames: [...base, ...more],
      registers: [registry],
    });
  const duration = histogram(
    METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
    "Duration of an inference, as the caller sees it.",
    DURATION_BUCKETS,
    [ERROR],
  );
  const firstChunk = histogram(
    METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
    "Time until the first chunk of a streamed answer.",
    DURATION_BUCKETS,
  );
  const ofCall = new Map([
    [
      ATTR_GEN_AI_USAGE_INPUT_TOKENS,
      histogram(
        METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
        "Input tokens of single inferences.",
        TOKEN_BUCKETS,
      ),
    ],
    [
      ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
      histogram(
        METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
        "Output tokens of single inferences.",
        TOKEN_BUCKETS,
      ),
    ],
  ]);
  const counters = TOKENS.map(([name, help, attribute, parts]) => {
    const counter = new Counter({
      name: `${prometheusName(name)}_total`,
      help,
      labelNames: [...base, MODALITY],
      registers: [registry],
    });
    return { counter, attribute, parts };
  });

  function count(call: SpanRecord): void {
    const set = labelsOf(call, noLabels);
    const seconds = (Number(call.endTimeUnixNano) - Number(call.startTimeUnixNano)) / NANOS;
    if (seconds >= 0) {
      const error = errorOf(call);
      duration.observe((error === undefined ? set : set.with(ERROR, error)).labels, seconds);
    }
    const first = call.attributes[ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK];
    if (typeof first === "number" && first >= 0) firstChunk.observe(set.labels, first);
    for (const { counter, attribute, parts } of counters) {
      const total = tokens(call, attribute);
      if (total === undefined && !ALWAYS.has(attribute)) continue;
      const add = (modality: string, value: number): void =>
        counter.inc(set.with(MODALITY, modality).labels, value);
      let rest = total ?? 0;
      for (const [modality, part] of Object.entries(parts)) {
        const value = tokens(call, part) ?? 0;
        // Parts that are more than the whole are no parts of it.
        if (value === 0 || value > rest) continue;
        add(modality, value);
        rest -= value;
      }
      if (rest > 0 || !total) add(UNKNOWN, rest);
      if (total !== undefined) ofCall.get(attribute)?.observe(set.labels, total);
    }
  }

  return {
    take(records) {
      const calls = records
        .map(neutralSpan)
        .filter(({ attributes }) => INFERENCES.has(attributes[ATTR_GEN_AI_OPERATION_NAME]));
      // An inner call ends before the one around it, which tells less of it.
      calls.sort((a, b) => Number(a.endTimeUnixNano) - Number(b.endTimeUnixNano));
      for (const call of calls) if (isNew(call)) count(call);
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

function tokens({ attributes }: SpanRecord, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
