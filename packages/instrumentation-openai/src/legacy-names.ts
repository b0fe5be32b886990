import type { Attributes, AttributeValue } from "@opentelemetry/api";
import { ATTR_GEN_AI_SYSTEM, LEGACY_NAMES, LEGACY_SYSTEMS } from "@thoughtflow/semconv";

/** Attributes with their older names beside the newest, for backends that still read those. */
export function withLegacyNames(attributes: Attributes): Attributes {
  const both: Attributes = { ...attributes };
  for (const [name, value] of Object.entries(attributes)) {
    const legacy = LEGACY_NAMES.get(name);
    if (legacy !== undefined) both[legacy] = legacyValue(legacy, value);
  }
  return both;
}

function legacyValue(name: string, value: AttributeValue | undefined): AttributeValue | undefined {
  if (name !== ATTR_GEN_AI_SYSTEM || typeof value !== "string") return value;
  return LEGACY_SYSTEMS.get(value) ?? value;
}
