import type { AttributeValue, SpanRecord } from "@thoughtflow/schema";
import type { SpanDialect } from "./span-dialect.ts";
import { SPAN_DIALECTS } from "./span-dialects.ts";
import { dialectsOfName, dialectsOfScope } from "./spoken-dialects.ts";

/** What an attribute of a name may be, for its span to say all in the conventions' own words; `undefined` for nothing. */
type Fits = ((value: AttributeValue | undefined) => boolean) | undefined;

/** Names come again and again; whoever makes up ever new ones fills no memory. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 100;

/**
 * Whether a span says in the conventions' own words, and in their form, all that rows of dialects could make of it; false where that is
 * not plain to see. A quick look: most spans come from today's emitters.
 *
 * @param isWanted of an attribute's name in the conventions, whether anybody looks at it
 */
export function createPlainCheck(
  isWanted: (name: string) => boolean,
): (record: SpanRecord) => boolean {
  const wanted = ({ rows }: SpanDialect) => rows.filter(({ to }) => isWanted(to));
  /** Dialects whose rows read nothing but the attributes that they name, one by one. */
  const simple = new Set(
    SPAN_DIALECTS.filter((dialect) => wanted(dialect).every(({ fits }) => fits !== undefined)),
  );
  const rows = [...simple].flatMap(wanted);

  function fitsOf(name: string): Fits {
    if (dialectsOfName(name).some((dialect) => !simple.has(dialect))) return undefined;
    const reading = rows.filter(({ from }) => from.includes(name));
    if (reading.some(({ to, from }) => to !== name || from[0] !== name)) return undefined;
    return (value) => reading.every(({ fits }) => fits?.(value));
  }

  const known = new Map<string, Fits>();
  return ({ attributes, scope }) => {
    if (dialectsOfScope(scope.name).length > 0) return false;
    for (const name of Object.keys(attributes)) {
      let fits = known.get(name);
      if (fits === undefined && !known.has(name)) {
        fits = fitsOf(name);
        if (known.size < MOST_NAMES && name.length <= LONGEST_NAME) known.set(name, fits);
      }
      if (fits?.(attributes[name]) !== true) return false;
    }
    return true;
  };
}
