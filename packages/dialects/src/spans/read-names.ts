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
  return (name) =>
    isWanted(name) ||
    exact.has(name) ||
    beginnings.some((one) => name.startsWith(one)) ||
    (!name.startsWith(CONVENTIONS) && isAgentAttribute(name));
}

/** A call has some of the conventions' own names among those that are read, which is enough to tell that it speaks them. */
const CONVENTIONS = "gen_ai.";
