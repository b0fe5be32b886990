import { SPAN_DIALECTS } from "./span-dialects.ts";
import { isAgentAttribute } from "./spoken-dialects.ts";

/**
 * Whether an attribute of that name can matter to `createNeutralSpan(isWanted)`: a row reads it, it tells what the span is, or
 * which dialect it speaks.
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

/** Of the conventions' own names those that are read are enough to tell that a span speaks them. */
const CONVENTIONS = "gen_ai.";
