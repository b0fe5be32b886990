import { FilterError } from "./filter-error.ts";

/** Fields whose value is a text; `*` in it stands for anything. */
export const TEXT_FIELDS = [
  "label",
  "name",
  "tool",
  "model",
  "status",
  "error",
  "session",
  "run",
  "step",
  "user",
  "agent",
  "type",
  "tag",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Fields that are compared; durations in ms, s, m or h, cost in US dollars. */
export const NUMBER_FIELDS = ["confidence", "duration", "cost", "tokens"] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

const MOMENT_FIELDS = ["since", "before"] as const;
type MomentField = (typeof MOMENT_FIELDS)[number];

export type Comparison = "<" | "<=" | ">" | ">=" | "=";

/** One condition of a filter; all of them must hold. */
export type FilterTerm = { readonly isNegated: boolean } & (
  | { readonly kind: "words"; readonly words: string; readonly isPrefix: boolean }
  | { readonly kind: "pattern"; readonly pattern: string; readonly ignoresCase: boolean }
  | { readonly kind: "text"; readonly field: TextField; readonly value: string }
  | {
      readonly kind: "number";
      readonly field: NumberField;
      readonly comparison: Comparison;
      readonly value: string;
    }
  | { readonly kind: "moment"; readonly field: MomentField; readonly moment: string }
);

const TERM =
  /\s*(-?)(?:\/((?:[^/\\]|\\.)+)\/(i?)(?=\s|$)|([a-z]+)(:|<=|>=|<|>|=)(?:"((?:[^"\\]|\\.)*)"|(\S+))|"((?:[^"\\]|\\.)*)"|(\S+))/gy;

/**
 * Reads a filter: words and `"phrases"` that a step says, `/patterns/`, `field:value`, `confidence<0.5`; `-` before a term
 * says that it must not hold.
 *
 * @param now what `since:7d` counts back from
 * @throws FilterError that names the term which can't be understood
 */
export function parseFilter(text: string, now: Date): readonly FilterTerm[] {
  const terms: FilterTerm[] = [];
  let end = 0;
  for (const match of text.matchAll(TERM)) {
    end = match.index + match[0].length;
    terms.push(termFrom(match, now));
  }
  const rest = text.slice(end).trim();
  if (rest !== "") throw new FilterError(`The filter can't be understood from ${quoted(rest)} on.`);
  return terms;
}

function termFrom(match: RegExpExecArray, now: Date): FilterTerm {
  const [, minus, pattern, flags, field, operator, phraseValue, plainValue, phrase, word = ""] =
    match;
  const isNegated = minus === "-";
  if (pattern !== undefined)
    return {
      kind: "pattern",
      isNegated,
      pattern: pattern.replaceAll("\\/", "/"),
      ignoresCase: flags === "i",
    };
  if (phrase !== undefined) return wordsTerm(unescaped(phrase), isNegated, false);
  if (field === undefined) {
    const isPrefix = word.endsWith("*");
    return wordsTerm(isPrefix ? word.slice(0, -1) : word, isNegated, isPrefix);
  }
  const value = phraseValue === undefined ? (plainValue ?? "") : unescaped(phraseValue);
  return fieldTerm(field, operator ?? ":", value, isNegated, now);
}

function wordsTerm(words: string, isNegated: boolean, isPrefix: boolean): FilterTerm {
  if (!/[\p{L}\p{N}]/u.test(words))
    throw new FilterError(`${quoted(words)} has no letter or digit that could be looked for.`);
  return { kind: "words", isNegated, words, isPrefix };
}

function fieldTerm(
  field: string,
  operator: string,
  value: string,
  isNegated: boolean,
  now: Date,
): FilterTerm {
  const isEqual = operator === ":" || operator === "=";
  if (isOneOf(TEXT_FIELDS, field)) {
    if (!isEqual)
      throw new FilterError(`${field} is a text: it takes ${field}:value, not ${operator}.`);
    return { kind: "text", isNegated, field, value };
  }
  if (isOneOf(NUMBER_FIELDS, field)) {
    const comparison = isEqual ? "=" : (operator as Comparison);
    return { kind: "number", isNegated, field, comparison, value: numberFrom(field, value) };
  }
  if (isOneOf(MOMENT_FIELDS, field)) {
    if (!isEqual)
      throw new FilterError(`${field} takes ${field}:7d or ${field}:2026-11-01, not ${operator}.`);
    return { kind: "moment", isNegated, field, moment: momentFrom(field, value, now) };
  }
  const known = [...TEXT_FIELDS, ...NUMBER_FIELDS, ...MOMENT_FIELDS].join(", ");
  throw new FilterError(
    `A filter knows no field ${quoted(field)}; there are ${known}. To look for the text itself, put it in quotes.`,
  );
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const CONFIDENCE: Readonly<Record<string, string>> = { high: "0.9", medium: "0.6", low: "0.3" };

function numberFrom(field: NumberField, value: string): string {
  if (field === "confidence" && Object.hasOwn(CONFIDENCE, value)) return CONFIDENCE[value] ?? "";
  if (field === "duration") {
    const milliseconds = millisecondsFrom(value);
    if (milliseconds !== undefined) return String(milliseconds);
  } else if (/^\d{1,15}(\.\d{1,15})?$/.test(value)) {
    return value;
  }
  const example = field === "duration" ? "1500, 2s or 5m" : "a number such as 0.5";
  throw new FilterError(`${field} is compared with ${example}, not ${quoted(value)}.`);
}

function momentFrom(field: MomentField, value: string, now: Date): string {
  const age = /^\d+$/.test(value) ? undefined : millisecondsFrom(value);
  const moment = age === undefined ? new Date(value) : new Date(now.getTime() - age);
  if (Number.isNaN(moment.getTime()))
    throw new FilterError(`${field} takes 7d, 12h or 2026-11-01, not ${quoted(value)}.`);
  return moment.toISOString();
}

function millisecondsFrom(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d{1,12}(?:\.\d{1,3})?)([a-z]*)$/.exec(text) ?? [];
  const factor = Object.hasOwn(MILLISECONDS, unit) ? MILLISECONDS[unit] : undefined;
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, "$1");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
