import type { SpanRecord } from "@thoughtflow/schema";

/** A journal is a file that anybody may have edited: what assembly relies on is checked. */
export function isSpanRecord(
  record: Readonly<Record<string, unknown>>,
): record is Record<string, unknown> & SpanRecord {
  return (
    typeof record["traceId"] === "string" &&
    typeof record["spanId"] === "string" &&
    typeof record["name"] === "string" &&
    typeof record["kind"] === "string" &&
    isTime(record["startTimeUnixNano"]) &&
    (record["endTimeUnixNano"] === undefined || isTime(record["endTimeUnixNano"])) &&
    isTextOrNothing(record["parentSpanId"]) &&
    isObject(record["status"]) &&
    isTextOrNothing(record["status"]["message"]) &&
    isObject(record["attributes"]) &&
    isObject(record["scope"]) &&
    isObject(record["resource"]) &&
    isListOf(record["events"], isEvent) &&
    isListOf(record["links"], isLink)
  );
}

/** The same of what was decided about a session, or erased. */
export function isDecision(
  type: "session" | "tombstone",
  record: Readonly<Record<string, unknown>>,
): boolean {
  if (typeof record["sessionId"] !== "string") return false;
  if (type === "tombstone")
    return (
      ["traceId", "spanId", "body"].every((name) => isTextOrNothing(record[name])) &&
      (record["turn"] === undefined || Number.isSafeInteger(record["turn"]))
    );
  return (
    typeof record["status"] === "string" &&
    typeof record["reason"] === "string" &&
    isTextOrNothing(record["runKey"]) &&
    isTime(record["timeUnixNano"])
  );
}

function isEvent({ name, timeUnixNano, attributes }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === "string" && isTime(timeUnixNano) && isObject(attributes);
}

function isLink({ traceId, spanId, attributes }: Readonly<Record<string, unknown>>): boolean {
  return typeof traceId === "string" && typeof spanId === "string" && isObject(attributes);
}

function isListOf(
  value: unknown,
  isOne: (item: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && isOne(item));
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

const DECIMAL = /^-?\d{1,30}$/;

function isTime(value: unknown): boolean {
  return typeof value === "string" && DECIMAL.test(value);
}

/** An object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
