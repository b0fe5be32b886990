import { SPAN_DIALECTS } from "./span-dialects.ts";
import { isAgentAttribute } from "./spoken-dialects.ts";

/**
 * Whether an attribute of that name can matter to what `createNeutralSpan(isWanted)` makes of a model call: a row reads it, it tells what
 * the span is, or which dialect it speaks.
 */
export function createReadNames(isWanted: (name: string) => boolean): (name: string) => boolean {
  const names = SPAN_DIALECTS.flatMap(({ kinds, rows }) => [
    ...kinds.map(({ from }) => from),
    ...rows
      .filter(({ to }) => isWanted(to))
      .flatMap(({ from, isList }) => (isList ? from.map((name) => `${name}.`) : from)),
  ]);
  const exact = new Set(names);
  const beginnings = [...exact].filter((name) => name.endsWith("."));
  const isRead = (name: string): boolean =>
    isWanted(name) ||
    exact.has(name) ||
    beginnings.some((one) => name.startsWith(one)) ||
    (!name.startsWith(CONVENTIONS) && isAgentAttribute(name));
  const known = new Map<string, boolean>();
  return (name) => {
    let told = known.get(name);
    if (told === undefined) {
      told = isRead(name);
      if (known.size < MOST_NAMES && name.length <= LONGEST_NAME) known.set(name, told);
    }
    return told;
  };
}

/** Names come again and again; whoever makes up ever new ones fills no memory. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 100;

/** A call has some of the conventions' own names among those that are read, which is enough to tell that it speaks them. */
const CONVENTIONS = "gen_ai.";
