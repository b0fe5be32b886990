import fc from "fast-check";
import { expect, test } from "vitest";
import { pythonLiteral } from "./python-literal.ts";

test("literals are read as JSON has them", () => {
  expect(pythonLiteral("None")).toBe(null);
  expect(pythonLiteral(" [True, False, -1, 2.5, 1e3,] ")).toEqual([true, false, -1, 2.5, 1000]);
  expect(pythonLiteral("(1, 'a')")).toEqual([1, "a"]);
  expect(pythonLiteral("{'a': None, 2: [], 'c': {}}")).toEqual({ a: null, 2: [], c: {} });
});

test("an object printed like the call that makes it becomes its members", () => {
  expect(
    pythonLiteral(
      "Reasoning(id='rs_1', summary=[Summary(text=\"it's\", type='summary_text')], n=None)",
    ),
  ).toEqual({ id: "rs_1", summary: [{ text: "it's", type: "summary_text" }], n: null });
});

test("escapes of texts are what they stand for", () => {
  const printed = String.raw`'a\n\'b\' \xe9 \u20ac \U0001f600 \\ \q'`;
  expect(pythonLiteral(printed)).toBe("a\n'b' é € 😀 \\ \\q");
});

test("a name like those of prototypes is a member like others", () => {
  const value = pythonLiteral("{'__proto__': {'polluted': 1}}") as object;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("a key that is an object is none of JSON's", () => {
  expect(pythonLiteral("{B(toString=1, valueOf=1): 2}")).toBe(undefined);
  expect(pythonLiteral("{(1, 2): 3}")).toBe(undefined);
});

test("anything else is no literal", () => {
  const others = ["", "hello", "f(1)", "{1, 2}", "[1", "'a' b", "<Thing at 0x7f>", "f(a=b)", "'a"];
  for (const text of [...others, "[".repeat(10_000)]) expect(pythonLiteral(text)).toBe(undefined);
});

test("no text is too much for it", () => {
  for (const printed of ["'%s'", "['%s']", "{'content': '%s', 'role': ", "[1%s", "'\\\\%s"])
    for (const length of [200_000, 20_000_000])
      expect(() => pythonLiteral(printed.replace("%s", "a".repeat(length)))).not.toThrow();
  const sign = fc.constantFrom(..."[](){}'\",:=\\ aNone1.-x");
  fc.assert(
    fc.property(fc.array(sign), (signs) => {
      expect(() => pythonLiteral(signs.join(""))).not.toThrow();
    }),
  );
});
