import { hash } from "node:crypto";
import { compactJson } from "@thoughtflow/schema/canonical";

const UNFIT = /[\0\uD800-\uDFFF]/;

/** Where a text has a NUL, its picture: databases end texts there. Half surrogate pairs are what UTF-8 makes of them. */
export function longText(text: string): string {
  if (!UNFIT.test(text)) return text;
  return Buffer.from(text).toString().replaceAll("\0", "\u2400");
}

/** A text column, however long; anything else is none. */
export function longTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? longText(value) : null;
}

/** Of three such an index of PostgreSQL still takes a row. */
const LONGEST_NAME = 256;

/** The same of a name or an id: of a very long one the beginning and its SHA-256, so that different ones stay different. */
export function columnText(text: string): string {
  const name = longText(text);
  if (name.length <= LONGEST_NAME) return name;
  const beginning = Buffer.from(name.slice(0, LONGEST_NAME - 65)).toString();
  return `${beginning}…${hash("sha256", name)}`;
}

/** A column of a name or an id; anything else is none. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? columnText(value) : null;
}

/** JSON text, its escapes as written; nothing where there is nothing. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : compactJson(value);
}

/** As documents write it; the last days of months are for who knows them. */
const ALREADY =
  /^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** ISO 8601 in UTC; what is no moment is none. */
export function momentOrNull(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (ALREADY.test(value)) return value;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** A whole number; what no number holds exactly is none, since drivers refuse to read it. */
export function integerOrNull(value: number | null | undefined): number | null {
  const rounded = Math.round(value ?? Number.NaN);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** Exact decimal text; what is no amount is none, never 0. */
export function moneyOrNull(amount: string | null | undefined): string | null {
  return typeof amount === "string" && /^\d+(\.\d+)?$/.test(amount) ? amount : null;
}
