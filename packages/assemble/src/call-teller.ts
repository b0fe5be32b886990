import { agree, sessionIdOf } from "@thoughtflow/dialects/spans";
import type { SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_SERVICE_NAME,
} from "@thoughtflow/semconv";
import { briefKey } from "./brief-key.ts";
import { numberAttribute } from "./span-node.ts";

/** Who tells of a model call: an instrumentation, the service that it is in, the session, and the tokens that it counted. */
export interface CallTeller {
  readonly scope: string;
  readonly service: string | undefined;
  readonly session: string | undefined;
  /** Absent where some were cached: not all emitters count these. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

const CACHED = [
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
];

/** Texts in brief: many of these are kept. */
export function callTeller(record: SpanRecord): CallTeller {
  const service = record.resource[ATTR_SERVICE_NAME];
  const session = sessionIdOf(record);
  const isCached = CACHED.some((name) => (numberAttribute(record, name) ?? 0) > 0);
  return {
    scope: briefKey(record.scope.name),
    service: service === undefined ? undefined : briefKey(String(service)),
    session: session === undefined ? undefined : briefKey(session),
    inputTokens: isCached ? undefined : numberAttribute(record, ATTR_GEN_AI_USAGE_INPUT_TOKENS),
    outputTokens: numberAttribute(record, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS),
  };
}

/**
 * Whether what both tell in traces of their own, with the same id of an answer, may be one call: two instrumentations of one service. Some
 * providers give every answer the same id.
 */
export function mayTellOneCall(one: CallTeller, other: CallTeller): boolean {
  return (
    one.scope !== other.scope &&
    one.service === other.service &&
    agree(one.session, other.session) &&
    agree(one.inputTokens, other.inputTokens) &&
    agree(one.outputTokens, other.outputTokens)
  );
}
