import type { AttributeValue } from "@thoughtflow/schema";
import type { SpanView } from "./span-view.ts";

/** How one attribute of the conventions is told in a dialect: one row of its table. */
export interface SpanRow {
  /** The attribute in the newest GenAI conventions, or ours. */
  readonly to: string;
  /** Where the dialect has it, the first that is there wins. */
  readonly from: readonly string[];
  /** How it is read, for people: `text`, `tokens`, `messages` … */
  readonly as: string;
  /** The names are those of lists flattened into attributes: `<name>.0.…`. */
  readonly isList?: true;
  /** The attributes say more than that, and stay. */
  readonly isPart?: true;
  /** The operations of which alone this is true; absent: of all. */
  readonly when?: readonly string[];
  /** Its value in the conventions' form; `undefined` where the span does not say it. Total. */
  read(span: SpanView): AttributeValue | undefined;
  /** Whether it would make the same value of the value of one of its attributes; absent where it looks at anything else of the span. */
  readonly fits?: (value: AttributeValue | undefined) => boolean;
}

/** Stands for the name of a span where otherwise that of an attribute does. */
export const SPAN_NAME = "(span name)";

/** Stands for the status of a span in the place of an attribute: what a row makes of it is why the span failed. */
export const SPAN_STATUS = "(status)";

/** How a dialect says what a span is. */
export interface KindRow {
  /** The attribute that says it, or `SPAN_NAME`. */
  readonly from: string;
  /** The operation by the attribute's value, in lower case; a `*` stands for anything. */
  readonly means: Readonly<Record<string, string>>;
  /** It is so whatever operation of the conventions the span names. */
  readonly overrules?: true;
}

/**
 * What one family of emitters calls things. Data and readers only: which spans speak it, what kinds of spans there are, and
 * where each attribute of the conventions stands.
 */
export interface SpanDialect {
  readonly name: string;
  /** Whose spans look like this, and what the table was made from. */
  readonly about: string;
  /** Attribute names, or beginnings of such (with a dot at the end), that a span of this dialect has. */
  readonly signs: readonly string[];
  /** Names of instrumentation scopes, or beginnings of such (with a `*` at the end), whose spans speak it. */
  readonly scopes?: readonly string[];
  /** The attribute that has the name of those spans whose own is a template, or the same for all of them. */
  readonly nameFrom?: { readonly attribute: string; readonly inPlaceOf: RegExp };
  readonly kinds: readonly KindRow[];
  readonly rows: readonly SpanRow[];
}
