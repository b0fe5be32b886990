import { fromExactJson } from "@thoughtflow/schema/exact-json";

/** Reading of JSON that others wrote: nothing is taken for granted. */
export type PlainObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NO_MEMBERS: PlainObject = {};

/** An object's members; none of what is no object. */
export function membersOf(value: unknown): PlainObject {
  return isObject(value) ? value : NO_MEMBERS;
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A count of something, also in decimal digits; 0 where there is none. */
export function countOf(value: unknown): number {
  return toldCount(value) ?? 0;
}

/** The same; `undefined` where there is none. */
export function toldCount(value: unknown): number | undefined {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** A finite number, also one that came as text; `undefined` where there is none. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The last one that a date can say. */
const LAST_MS = 8.64e15;

/** Whether it is milliseconds since 1970. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= LAST_MS;
}

/** Milliseconds since 1970 of an ISO 8601 time. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
}

/** A value that may come as JSON: what is no JSON stays the text that it is; `{}` where there is nothing. */
export function valueOrText(value: unknown): unknown {
  if (typeof value !== "string") return value ?? {};
  try {
    return fromExactJson(value);
  } catch {
    return value;
  }
}
