import type { AttributeValue } from "@thoughtflow/schema";
import type { SpanView } from "./span-view.ts";

/** Reads one attribute of a dialect into the conventions' form. Total: what doesn't fit reads as absent. */
export interface Reader {
  /** For people: what it makes of the value. */
  readonly as: string;
  /** The name is that of a list flattened into attributes. */
  readonly isList?: true;
  /** It reads a part of what the attribute says, which is kept for the rest of it. */
  readonly isPart?: true;
  read(span: SpanView, name: string): AttributeValue | undefined;
  /**
   * Whether it would make the same value of a value. Only readers have it that look at nothing but that one attribute.
   */
  readonly fits?: (value: AttributeValue | undefined) => boolean;
}
