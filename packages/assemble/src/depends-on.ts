import type { EdgeOrigin, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES,
  ATTR_THOUGHTFLOW_DEPENDS_ON_EVIDENCE,
  ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
} from "@thoughtflow/semconv";
import { listAttribute } from "./span-node.ts";

/** One entry of `thoughtflow.depends_on`. */
export interface DependsOn {
  /** As the span wrote it: a step id, perhaps with a run or trace before it. */
  readonly name: string;
  readonly type: string;
  readonly origin: EdgeOrigin;
  /** From 0 to 1, where the span says how sure it is. */
  readonly confidence: number | undefined;
  /** What it was read from, where the span says it. */
  readonly evidence: string | undefined;
}

/** What a span says that it rests on. */
export function dependsOn(record: SpanRecord): readonly DependsOn[] {
  const names = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON);
  if (names.length === 0) return NONE;
  const types = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES);
  const origins = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON_ORIGINS);
  const confidences = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON_CONFIDENCES);
  const evidence = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON_EVIDENCE);
  return names.map((name, i) => ({
    name,
    type: types[i] || "depends_on",
    origin: originOf(origins[i], "declared"),
    confidence: confidenceOf(confidences[i]),
    evidence: evidence[i] || undefined,
  }));
}

/** The first entry that names that type. */
export function dependsOnBy(record: SpanRecord, type: string): DependsOn | undefined {
  const isThere = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES).includes(type);
  return isThere ? dependsOn(record).find((one) => one.type === type) : undefined;
}

/** The call that a span says it was asked for by. */
export function askedBy(record: SpanRecord): DependsOn | undefined {
  return dependsOnBy(record, "requests");
}

const NONE: readonly DependsOn[] = [];

function confidenceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const confidence = Number.parseFloat(text);
  return confidence >= 0 && confidence <= 1 ? confidence : undefined;
}

/** An origin as a span writes it; `otherwise` for anything else. */
export function originOf(value: unknown, otherwise: EdgeOrigin): EdgeOrigin {
  return value === "declared" || value === "observed" || value === "inferred" ? value : otherwise;
}
