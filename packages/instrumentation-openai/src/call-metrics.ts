import type { Attributes, Context, MeterProvider } from "@opentelemetry/api";
import { createNoopMeter, metrics } from "@opentelemetry/api";
import type { Dialect, StreamFold } from "@thoughtflow/dialects";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOKEN_MODALITY,
  ATTR_GEN_AI_TOKEN_TYPE,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  countedTokens,
  GEN_AI_SCHEMA_URL,
  INFERENCE_OPERATIONS,
} from "@thoughtflow/semconv";
import { type CallInstruments, createCallInstruments } from "./call-instruments.ts";
import { withLegacyNames } from "./legacy-names.ts";
import type { OuterCall } from "./outer-call.ts";
import { INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION } from "./version.ts";

/** What is measured of a call. */
export interface MeasuredCall {
  readonly dialect: Dialect;
  readonly startAttributes: Attributes;
  /** What came to be known on the way. */
  readonly found: Attributes;
  /** What the SDK's own work ran in. */
  readonly context: Context;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
  readonly outer: OuterCall | undefined;
  /** Of a stream, once its first chunk is there. */
  readonly fold: StreamFold | undefined;
}

/** Records what ended calls took, in the instruments of the conventions. Without a meter provider it does nothing. */
export interface CallMetrics {
  /** Whether somebody takes them. */
  isOn(): boolean;
  /** For each chunk of a stream that somebody takes metrics of, once the call has taken it. */
  recordChunk(call: MeasuredCall, clock: ChunkClock): void;
  /** To be called once, when all that is known of the call is in `call.found`. */
  record(call: MeasuredCall): void;
}

/** Times the chunks of one stream. */
export interface ChunkClock {
  /** When the last chunk was read, `performance.now()`. */
  readAt: number;
  /** What the times are told apart by, once a second chunk is there: the first one has named the model. */
  dimensions: Attributes | undefined;
}

/** What every metric of a call is told apart by. */
const DIMENSIONS = [
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
] as const;

/** @param provider Default: the global one, also one that is registered later. */
export function createCallMetrics(
  provider: MeterProvider | undefined,
  legacyNames: boolean,
): CallMetrics {
  let known: MeterProvider | undefined;
  let instruments: CallInstruments | undefined;

  function instrumentsNow(): CallInstruments | undefined {
    const now = provider ?? metrics.getMeterProvider();
    if (now === known) return instruments;
    known = now;
    const meter = now.getMeter(INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION, {
      schemaUrl: GEN_AI_SCHEMA_URL,
    });
    const isNone = meter === createNoopMeter();
    instruments = isNone ? undefined : createCallInstruments(meter, legacyNames);
    return instruments;
  }

  return {
    isOn: () => instrumentsNow() !== undefined,
    recordChunk(call, clock) {
      const now = performance.now();
      const seconds = (now - clock.readAt) / 1000;
      clock.readAt = now;
      if (!isInference(call) || call.outer?.isGenAi === true) return;
      clock.dimensions ??= chunkDimensionsOf(call);
      instruments?.timePerOutputChunk.record(seconds, clock.dimensions, call.context);
    },
    record(call) {
      const now = instrumentsNow();
      // A GenAI instrumentation around this call keeps the same metrics of it.
      if (now !== undefined && call.outer?.isGenAi !== true) recordCall(now, call);
    },
  };
}

function recordCall(instruments: CallInstruments, call: MeasuredCall): void {
  const { startAttributes, found, startedAt, context } = call;
  const operation = startAttributes[ATTR_GEN_AI_OPERATION_NAME];
  if (operation === undefined) return;
  const isModelCall = isInference(call);
  const dimensions = dimensionsOf(call);
  const error = found[ATTR_ERROR_TYPE];
  const outcome = error === undefined ? dimensions : { ...dimensions, [ATTR_ERROR_TYPE]: error };
  const seconds = (performance.now() - startedAt) / 1000;
  const duration = isModelCall ? instruments.inferenceDuration : instruments.operationDuration;
  duration.record(seconds, outcome, context);
  const firstChunk = found[ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK];
  if (isModelCall && typeof firstChunk === "number")
    instruments.timeToFirstChunk.record(firstChunk, dimensions, context);
  // An answer that is fetched has tokens here only where no call told them before.
  recordTokens(instruments, found, dimensions, context, isModelCall);
  const { legacy } = instruments;
  if (legacy === undefined) return;
  if (isModelCall) instruments.operationDuration.record(seconds, withLegacyNames(outcome), context);
  if (isModelCall && typeof firstChunk === "number")
    legacy.timeToFirstChunk.record(firstChunk, withLegacyNames(dimensions), context);
  for (const [type, name] of TOKEN_TYPES) {
    const count = found[name];
    if (typeof count !== "number") continue;
    const attributes = { ...withLegacyNames(dimensions), [ATTR_GEN_AI_TOKEN_TYPE]: type };
    legacy.tokenUsage.record(count, attributes, context);
  }
}

function isInference({ startAttributes }: MeasuredCall): boolean {
  return INFERENCE_OPERATIONS.has(startAttributes[ATTR_GEN_AI_OPERATION_NAME]);
}

/** Those of the whole call, as far as its first chunks tell them. */
function chunkDimensionsOf(call: MeasuredCall): Attributes {
  const { dialect, fold, startAttributes } = call;
  const found = dialect.responseAttributes(fold?.response());
  return dimensionsOf({ startAttributes, found });
}

function dimensionsOf({
  startAttributes,
  found,
}: Pick<MeasuredCall, "startAttributes" | "found">): Attributes {
  const dimensions: Attributes = {};
  for (const name of DIMENSIONS) {
    const value = startAttributes[name];
    if (value !== undefined) dimensions[name] = value;
  }
  const model = found[ATTR_GEN_AI_RESPONSE_MODEL];
  if (model !== undefined) dimensions[ATTR_GEN_AI_RESPONSE_MODEL] = model;
  return dimensions;
}

const TOKEN_TYPES = [
  ["input", ATTR_GEN_AI_USAGE_INPUT_TOKENS],
  ["output", ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
] as const;

function recordTokens(
  { tokens }: CallInstruments,
  found: Attributes,
  dimensions: Attributes,
  context: Context,
  isInference: boolean,
): void {
  for (const { metric, counter, ofCall } of tokens) {
    const { total, byModality } = countedTokens(metric, found, isInference);
    for (const part of byModality) {
      const told = { ...dimensions, [ATTR_GEN_AI_TOKEN_MODALITY]: part.modality };
      counter.add(part.tokens, told, context);
    }
    if (isInference && total !== undefined) ofCall?.record(total, dimensions, context);
  }
}
