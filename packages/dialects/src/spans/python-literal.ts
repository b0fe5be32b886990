/** Characters of what is read: more than conversations have, and few enough that the worst hold nobody up. */
export const LONGEST_LITERAL = 262_144;
/** How deep lists and objects may stand in one another. */
const DEEPEST = 40;

/** Names of values, and what they are. */
const NAMES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["None", null],
  ["True", true],
  ["False", false],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** Blank, tab, line feed, carriage return. */
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_][\w.]*/y;
const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs;

/**
 * What Python printed of a value (`repr`), as JSON has it: literals of texts, numbers, `None`, truths, lists, tuples, dicts, and
 * objects that print like the call that makes them (`Summary(text='…', type='…')`), which become their named members.
 *
 * @returns the value; `undefined` where the text is anything else, goes on after it, or is longer than 256 KiB
 */
export function pythonLiteral(text: string): unknown {
  if (text.length > LONGEST_LITERAL) return undefined;
  const at = createReader(text);
  try {
    const value = valueAt(at, 0);
    at.skipSpace();
    return at.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const skipSpace = () => {
    while (SPACES.has(text.charCodeAt(at))) at++;
  };
  return {
    take,
    skipSpace,
    isAtEnd: () => at === text.length,
    /** Whether that sign comes next, which is passed then. */
    passes(sign: string): boolean {
      skipSpace();
      const isNext = text.startsWith(sign, at);
      if (isNext) at += sign.length;
      return isNext;
    },
  };
}

function valueAt(at: Reader, depth: number): unknown {
  if (depth > DEEPEST) throw new SyntaxError("too deep");
  if (at.passes("[")) return itemsUpTo("]", at, () => valueAt(at, depth + 1));
  if (at.passes("(")) return itemsUpTo(")", at, () => valueAt(at, depth + 1));
  if (at.passes("{")) return objectUpTo("}", at, () => entryAt(at, depth + 1));
  const text = at.take(TEXT);
  if (text !== undefined) return unescaped(text.slice(1, -1));
  const number = at.take(NUMBER);
  if (number !== undefined) return Number(number);
  const word = at.take(WORD) ?? "";
  if (NAMES.has(word)) return NAMES.get(word);
  if (word === "" || !at.passes("(")) throw new SyntaxError("no literal");
  return objectUpTo(")", at, () => memberAt(at, depth + 1));
}

function entryAt(at: Reader, depth: number): [string, unknown] {
  const key = valueAt(at, depth);
  if (!at.passes(":")) throw new SyntaxError("a set, or no dict");
  if (typeof key === "object" && key !== null)
    throw new SyntaxError("a key that JSON has none for");
  return [String(key), valueAt(at, depth)];
}

function memberAt(at: Reader, depth: number): [string, unknown] {
  at.skipSpace();
  const name = at.take(WORD);
  if (name === undefined || !at.passes("=")) throw new SyntaxError("a member without a name");
  return [name, valueAt(at, depth)];
}

function objectUpTo(end: string, at: Reader, read: () => [string, unknown]): object {
  return Object.fromEntries(itemsUpTo(end, at, read));
}

function itemsUpTo<Item>(end: string, at: Reader, read: () => Item): Item[] {
  const items: Item[] = [];
  while (!at.passes(end)) {
    if (items.length > 0 && !at.passes(",")) throw new SyntaxError("no comma");
    if (items.length > 0 && at.passes(end)) break;
    items.push(read());
  }
  return items;
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (whole, byte, unit, point, sign) => {
    const code = byte ?? unit ?? point;
    if (code === undefined) return ESCAPES.get(sign) ?? whole;
    const number = Number.parseInt(code, 16);
    return number > 0x10ffff ? whole : String.fromCodePoint(number);
  });
}
