/** So many texts, from the first, of a list that only grows: thousands of places share one, and none copies it. */
export interface TextsSoFar {
  readonly list: string[];
  readonly count: number;
}

export const NO_TEXTS: TextsSoFar = { list: [], count: 0 };

/** The same and more: in a list of its own only where other texts came after these already. */
export function withTexts({ list, count }: TextsSoFar, more: readonly string[]): TextsSoFar {
  const own = count > 0 && count === list.length ? list : list.slice(0, count);
  for (const text of more) own.push(text);
  return { list: own, count: own.length };
}

/** The same with another one in the place of the last: there and wherever the list was as long, unless other texts came after these. */
export function withLastText({ list, count }: TextsSoFar, text: string): TextsSoFar {
  if (count === 0 || count < list.length)
    return withTexts({ list, count: Math.max(0, count - 1) }, [text]);
  list[count - 1] = text;
  return { list, count };
}

export function toTexts({ list, count }: TextsSoFar): readonly string[] {
  return list.slice(0, count);
}
