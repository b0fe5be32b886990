import { type BadInput, item } from "./bad-input.ts";

/** Attribute and content values, by the name under which they come. Made anew for each use: some are spent by it. */
export function badValues(): readonly BadInput<Readonly<Record<string, unknown>>>[] {
  return [
    ...item(73, "a long text", one("x".repeat(10_000_000))),
    ...item(74, "an image in a text", one(`data:image/png;base64,${"iVBO".repeat(500_000)}`)),
    ...item(75, "half a character", one("\ud83d"), one("a\udc00b")),
    ...item(76, "zeros", one("a\u0000b")),
    ...item(77, "controls of a terminal", one("\u001b]8;;http://evil\u0007x\u001b[2J\u009b31m")),
    ...item(78, "line separators", one("a\u2028b\u2029c")),
    ...item(79, "a byte order mark", one("\ufefftext")),
    ...item(80, "bytes that were no UTF-8", one("\ufffd\ufffd")),
    ...item(81, "no numbers", one(Number.NaN), one(Infinity), one(-Infinity)),
    ...item(82, "minus zero", one(-0)),
    ...item(
      83,
      "numbers that are too exact",
      one(2 ** 53 + 1),
      one(Number("1795183471281000123")),
      one(-(2 ** 63)),
    ),
    ...item(84, "a big integer", one(10n ** 30n)),
    ...item(
      85,
      "objects of classes",
      one(new Date(Number.NaN)),
      one(new Map([[1, 2]])),
      one(new Set([1])),
      one(/x/),
      one(class {}),
      one(() => 1),
      one(Symbol("s")),
    ),
    ...item(86, "a circle", one(circle())),
    ...item(
      87,
      "what throws when it is looked at",
      throwing(),
      one(throwingProxy()),
      one({ toJSON: thrower }),
    ),
    ...item(
      88,
      "lists with holes and of many kinds",
      one(new Array(5)),
      one([1, "a", null, undefined, {}]),
    ),
    ...item(89, "depth", one(nested(65)), one(nested(5_000)), one(JSON.stringify(nested(900)))),
    ...item(
      90,
      "names of members",
      own("__proto__", ["polluted"]),
      own("constructor", "x"),
      own("a.__proto__.polluted", "x"),
      own("prompt.__proto__.polluted", "x"),
      own("a..b", "x"),
      own(".a", "x"),
      own("", "x"),
      own("prompt.1000000000.content", "x"),
      { "a.b": 1, a: 2 },
      own("n".repeat(1_000_000), "x"),
    ),
    ...item(91, "a name twice", { a: 1, A: 1 }),
    ...item(
      92,
      "ten thousand",
      Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`a${n}`, n])),
    ),
    ...item(93, "bytes", one(Buffer.from("x")), one(new Uint8Array(3))),
    ...item(94, "broken JSON", one('{"a": [1, 2'), one("[".repeat(3_000))),
    ...item(95, "JSON in another dress", one('{"trace_id":"AAECAwQFBgcICQoLDA0ODw=="}')),
  ];
}

function one(value: unknown): Readonly<Record<string, unknown>> {
  return { value };
}

/** Also under names that an assignment would take for something else. */
function own(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return Object.defineProperty({}, name, { value, enumerable: true });
}

function thrower(): never {
  throw new Error("not to be looked at");
}

function throwing(): Readonly<Record<string, unknown>> {
  return Object.defineProperty({}, "value", { get: thrower, enumerable: true });
}

function throwingProxy(): object {
  return new Proxy({}, { get: thrower, ownKeys: thrower, has: thrower });
}

function circle(): object {
  const list: unknown[] = [];
  list.push(list);
  return { list };
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
