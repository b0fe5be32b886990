import { compactJson } from "@thoughtflow/schema/canonical";

const UNFIT = /[\0\uD800-\uDFFF]/;

/** Where a text has a NUL, its picture: databases end texts there. Half surrogate pairs are what UTF-8 makes of them. */
export function columnText(text: string): string {
  if (!UNFIT.test(text)) return text;
  return Buffer.from(text).toString().replaceAll("\0", "\u2400");
}

/** A text column; anything else is none. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? columnText(value) : null;
}

/** JSON text, its escapes as written; nothing where there is nothing. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : compactJson(value);
}

/** ISO 8601 in UTC; what is no moment is none. */
export function momentOrNull(value: string | undefined): string | null {
  if (value === undefined) return null;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

export function integerOrNull(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Math.round(value);
}

/** Exact decimal text; what is no amount is none, never 0. */
export function moneyOrNull(amount: string | null | undefined): string | null {
  return typeof amount === "string" && /^\d+(\.\d+)?$/.test(amount) ? amount : null;
}
