import { createHash } from "node:crypto";
import { stableJson } from "@thoughtflow/schema/canonical";

const VERSION_DIGITS = 16;

/** 16 hex digits of the SHA-256 of a value's JSON, its keys in order: equal content, equal version. */
export function versionOf(value: unknown): string {
  return hashOf(value).slice(0, VERSION_DIGITS);
}

/**
 * The sha-256 of a value's stable JSON, 64 hex digits: equal values have equal ones, whatever the order of their
 * keys.
 */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(stableJson(value)).digest("hex");
}
